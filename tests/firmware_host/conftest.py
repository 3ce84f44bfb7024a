"""What the tests of the daemon's room share: `hands.py` beside this file, importable by its name; `docs.gallery`."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
# Tests have no packages (`--import-mode=importlib`), so what they share must be found by its folder; `docs` is not
# installed.
sys.path[:0] = [folder for folder in (str(HERE), str(ROOT)) if folder not in sys.path]
