//! Modules that a half defines, with the backend parameter that burn's derive asked for.

use upstream::{
    module::{Param, Parameter},
    tensor::{Tensor, TensorKind, backend::Backend},
};

/// A type of the halves, which has the halves' backend, as it is on backend `B`.
pub trait OnBackend<B> {
    /// The same type on `B`.
    type Type;
}

impl<A, B, const D: usize, K> OnBackend<B> for Tensor<A, D, K>
where
    A: Backend,
    B: Backend,
    K: TensorKind<A> + TensorKind<B>,
{
    type Type = Tensor<B, D, K>;
}

impl<B, T> OnBackend<B> for Param<T>
where
    T: Parameter + OnBackend<B>,
    T::Type: Parameter,
{
    type Type = Param<T::Type>;
}

impl<B, T: OnBackend<B>> OnBackend<B> for Vec<T> {
    type Type = Vec<T::Type>;
}

impl<B, T: OnBackend<B>> OnBackend<B> for Option<T> {
    type Type = Option<T::Type>;
}

impl<B, T: OnBackend<B>, const N: usize> OnBackend<B> for [T; N] {
    type Type = [T::Type; N];
}

impl<B, T: OnBackend<B>, U: OnBackend<B>> OnBackend<B> for (T, U) {
    type Type = (T::Type, U::Type);
}

/// Defines modules: once a file, written as the newest version derives them.
///
/// burn's derive takes a struct without a parameter `B` for a constant without parameters, as it
/// does a field whose type does not say `B`; and what it writes starts with `burn`, which must be
/// the real one there: hence the inner `mod`. (A derive outside this macro does not compile, since
/// `burn::module::Module` has no parameter.)
#[macro_export]
macro_rules! modules {
    (@fields $name:ident [$($done:tt)*]) => {
        #[derive(burn::module::Module, Debug)]
        pub struct $name<B: burn::tensor::backend::Backend = $crate::Backend> { $($done)* }

        impl<A, B> OnBackend<B> for $name<A>
        where
            A: burn::tensor::backend::Backend,
            B: burn::tensor::backend::Backend,
        {
            type Type = $name<B>;
        }
    };
    (@fields $name:ident $done:tt $(#[$says:meta])* $seen:vis $field:ident: char $($rest:tt)*) => {
        $crate::modules!(@constant $name $done $field char $($rest)*);
    };
    (@fields $name:ident $done:tt $(#[$says:meta])* $seen:vis $field:ident: Dropout $($rest:tt)*) => {
        $crate::modules!(@constant $name $done $field Dropout $($rest)*);
    };
    (@fields $name:ident [$($done:tt)*]
        $(#[$says:meta])* $seen:vis $field:ident: $kind:ty $(, $($rest:tt)*)?) => {
        $crate::modules!(@fields $name
            [$($done)* pub $field: <$kind as OnBackend<B>>::Type,] $($($rest)*)?);
    };
    (@constant $name:ident [$($done:tt)*] $field:ident $kind:ident $(, $($rest:tt)*)?) => {
        $crate::modules!(@fields $name [$($done)* pub $field: $kind,] $($($rest)*)?);
    };
    ($(
        $(#[doc = $about:literal])*
        #[derive(Module, Debug)]
        $visibility:vis struct $name:ident { $($field:tt)* }
    )*) => {
        mod modules {
            use super::*;
            // Without `$crate` in a field's type, which the derive also repeats as a text.
            use $crate::{OnBackend, upstream as burn};

            $($crate::modules!(@fields $name [] $($field)*);)*
        }

        pub use modules::{$($name),*};
    };
}
