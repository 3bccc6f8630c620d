"""Indexes that statements need: their predicates, candidate indexes and the choice among candidates."""
