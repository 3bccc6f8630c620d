"""How advice is shown: on a terminal, as Markdown, JSON and CSV, and one recommendation in full."""
