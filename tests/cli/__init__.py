"""The command line and the file of a site."""
