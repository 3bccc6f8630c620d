"""Advice: every rule, the papers' machines, any database, and a second engine."""
