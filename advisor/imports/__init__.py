"""From the text that DBAs have to a capture: configuration listings, snapshots, db2mon, db2pd, db2look, CLP listings.

inputs.py opens files and archives, lines.py gives their lines whatever the encoding, reader.py finds which format
starts where and lets it read on (formats/), readings.py keeps what was read, and merge.py makes a capture of it.
"""
