"""Command ``python -m tests.imports [SAMPLE ...]``: write the results of samples as expected results, for review."""

import json
import sys

from tests.imports.samples import expected, given, samples

for sample, gives in given(sample for sample in samples() if len(sys.argv) == 1 or sample.name in sys.argv[1:]).items():
    expected(sample).write_text(json.dumps(gives, indent=1) + "\n", encoding="utf-8")
