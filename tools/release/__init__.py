"""Released files and their checks: built twice alike, listed, licensed, tried.

built.py         the wheel and the source archive, and that the archive gives the same bytes elsewhere
bill.py          the contents of an installation: a bill of materials (CycloneDX), and whether we may ship it
tried.py         the wheel in empty environments: the oldest and newest dependencies, each Python on the machine
requirements.py  docs/nightly/requirements.txt: exact versions with their hashes, for the container
environment.py   virtual environments
"""
