"""Captures and host facts: reading, refusal and anonymization."""
