"""What the tests of the daemon's room share: `hands.py` beside this file, importable by its name."""

import sys
from pathlib import Path

# Tests have no packages (`--import-mode=importlib`), so what they share must be found by its folder.
sys.path.insert(0, str(Path(__file__).parent))
