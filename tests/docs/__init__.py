"""The documents are correct."""
