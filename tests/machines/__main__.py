"""Write the machines to fixtures/, or to the folder that is named."""

import sys
from pathlib import Path

from tests.machines import FIXTURES, MACHINES
from tests.states import write_capture

target = Path(sys.argv[1]) if len(sys.argv) > 1 else FIXTURES
for name, machine in MACHINES.items():
    write_capture(machine(), target / name)
