"""Captures and host facts: what is read, refused, and made anonymous."""
