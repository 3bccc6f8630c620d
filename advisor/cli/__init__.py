"""The command line: one file per command, which parses arguments and calls other packages."""
