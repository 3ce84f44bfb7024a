"""What the tests of the hardware share lies beside this file and is imported by its name."""

import sys
from pathlib import Path

HERE = str(Path(__file__).parent)
if HERE not in sys.path:  # tests have no packages (`--import-mode=importlib`)
    sys.path.insert(0, HERE)
