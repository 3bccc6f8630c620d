"""Whether a change helped: histories with a known effect, and what is said of them."""
