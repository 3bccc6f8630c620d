"""The file of a site with its options and accepted risks."""
