//! Optimizers of one type, where each had its own and was made for one type of module.

use std::any::Any;

pub use upstream::optim::*;
use upstream::{
    grad_clipping::GradientClippingConfig,
    module::AutodiffModule,
    optim::{adaptor::OptimizerAdaptor, decay::WeightDecayConfig, momentum::MomentumConfig},
};

use super::{Backend, InnerBackend, cannot_lend};

/// burn's optimizer, and how many parameters it has a state for.
type Made = (Box<dyn Any>, fn(&dyn Any) -> usize);

/// An optimizer, which is made when it first meets a module.
pub struct ModuleOptimizer {
    config: Settings,
    made: Option<Made>,
}

/// Gives each configuration the settings that halves state, and an `init` for all modules.
macro_rules! optimizers {
    ($($config:ident { $($with:ident: $value:ty),* })*) => {
        #[expect(clippy::enum_variant_names, reason = "burn's own names")]
        enum Settings {
            $($config(upstream::optim::$config)),*
        }

        $(
            #[doc = concat!("burn's `", stringify!($config), "`.")]
            #[derive(Clone)]
            pub struct $config(upstream::optim::$config);

            impl $config {
                /// The settings that it has by itself.
                #[expect(clippy::new_without_default, reason = "burn's have none either")]
                pub fn new() -> Self {
                    Self(upstream::optim::$config::new())
                }

                $(
                    /// As burn's.
                    pub fn $with(self, value: $value) -> Self {
                        Self(self.0.$with(value))
                    }
                )*

                /// The optimizer.
                pub fn init(&self) -> ModuleOptimizer {
                    ModuleOptimizer { config: Settings::$config(self.0.clone()), made: None }
                }
            }
        )*

        impl ModuleOptimizer {
            /// Takes one step with one rate for all parameters.
            pub fn step<M>(&mut self, rate: f64, module: M, gradients: GradientsParams) -> M
            where
                M: AutodiffModule<Backend> + 'static,
            {
                match &self.config {
                    $(Settings::$config(config) => {
                        step(&mut self.made, || config.init(), rate, module, gradients)
                    })*
                }
            }
        }
    };
}

optimizers! {
    AdaGradConfig { with_epsilon: f32 }
    AdamConfig { with_epsilon: f32, with_weight_decay: Option<WeightDecayConfig> }
    AdamWConfig { with_epsilon: f32, with_weight_decay: f32 }
    AdanConfig {}
    MuonConfig {}
    RmsPropConfig { with_epsilon: f32, with_momentum: f32 }
    SgdConfig {
        with_momentum: Option<MomentumConfig>,
        with_weight_decay: Option<WeightDecayConfig>,
        with_gradient_clipping: Option<GradientClippingConfig>
    }
}

impl ModuleOptimizer {
    /// What Adam remembers.
    pub fn to_record(&self) -> OptimizerRecord {
        match (&self.config, &self.made) {
            (Settings::AdamConfig(_) | Settings::AdamWConfig(_), Some((optimizer, states))) => {
                OptimizerRecord { tensors: 2 * states(&**optimizer) }
            }
            _ => cannot_lend("the record of an optimizer that is not Adam, or took no step"),
        }
    }
}

/// What Adam remembers: two moments of each parameter. Records counted parameters, not tensors.
pub struct OptimizerRecord {
    tensors: usize,
}

impl OptimizerRecord {
    /// How many tensors it holds.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.tensors
    }
}

fn step<O, M>(
    made: &mut Option<Made>,
    init: impl FnOnce() -> OptimizerAdaptor<O, M, Backend>,
    rate: f64,
    module: M,
    gradients: GradientsParams,
) -> M
where
    O: SimpleOptimizer<InnerBackend> + 'static,
    M: AutodiffModule<Backend> + 'static,
{
    let (optimizer, _) = made.get_or_insert_with(|| (Box::new(init()), states::<O, M>));
    match optimizer.downcast_mut::<OptimizerAdaptor<O, M, Backend>>() {
        Some(optimizer) => Optimizer::step(optimizer, rate, module, gradients),
        None => cannot_lend("one optimizer for modules of two types"),
    }
}

fn states<O, M>(optimizer: &dyn Any) -> usize
where
    O: SimpleOptimizer<InnerBackend> + 'static,
    M: AutodiffModule<Backend> + 'static,
{
    let optimizer = optimizer.downcast_ref::<OptimizerAdaptor<O, M, Backend>>();
    Optimizer::to_record(optimizer.expect("the type that it was made with")).len()
}
