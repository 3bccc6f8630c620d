"""Fleets: analysis of many databases, their health, and the best changes across them."""
