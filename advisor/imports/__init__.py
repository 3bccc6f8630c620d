"""Captures from text that DBAs have: configuration listings, snapshots, db2mon, db2pd, db2look, CLP listings.

inputs.py opens files and archives. lines.py returns their lines in any encoding. reader.py finds the format that starts
at a line and lets it read (formats/). store.py keeps the rows, and merge.py writes the capture.
"""
