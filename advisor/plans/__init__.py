"""Access plans of single statements, whatever printed them."""
