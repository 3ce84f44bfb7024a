"""The bench is not installed: it is run from the root, and so it is tested from there."""

import sys
from pathlib import Path

ROOT = str(Path(__file__).parent.parent.parent)
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)
