"""Kinds of rewrites of a statement."""
