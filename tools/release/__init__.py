"""What is released, and the proof that it can be trusted: built twice alike, listed, licensed, tried.

built.py         the wheel and the source archive, and that the archive gives the same bytes elsewhere
bill.py          what an installation brings with it: a bill of materials (CycloneDX), and whether we may ship it
tried.py         the wheel in empty environments: the oldest and the newest of what it asks for, each Python there is
requirements.py  docs/nightly/requirements.txt: exact versions with their hashes, for the container
environment.py   virtual environments
"""
