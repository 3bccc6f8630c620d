"""From a capture to ranked advice, for one state or for many at once."""
