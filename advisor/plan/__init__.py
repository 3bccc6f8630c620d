"""The advice as an ordered plan: one change a step, or what needs the same restart together."""
