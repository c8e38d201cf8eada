"""What emberwatch costs, beside its floor and its peers, as ratios of one interleaved run."""
