"""Settings of every test."""

import os

from advisor.sessions import THREADS

os.environ.setdefault(THREADS, "1")  # pytest's workers already use every processor
