"""Tests of the command line and the site's file."""
