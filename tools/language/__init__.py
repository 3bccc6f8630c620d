"""Marker phrases of foreign English in the project's texts, per area, in 10,000 words."""
