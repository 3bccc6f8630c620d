"""A whole estate: many databases judged together, how each of them is, and what would help most over all of them."""
