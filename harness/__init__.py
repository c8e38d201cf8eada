"""emberwatch: what PyTorch and burn did on every listed version, and what changed."""
