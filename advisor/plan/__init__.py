"""The advice as an ordered plan: one change per step, or all changes that share a restart."""
