"""Settings of every test."""

import os

from advisor.parallel import THREADS

os.environ.setdefault(THREADS, "1")  # pytest's workers already use every processor
