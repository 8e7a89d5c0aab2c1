"""Found by every Python process that a test starts, since this folder is on PYTHONPATH while mutants are run."""

import sys
from pathlib import Path

_ROOT = str(Path(__file__).parents[3])
sys.path.append(_ROOT)
try:
    from tests.mutants import probe
finally:
    sys.path.remove(_ROOT)

probe.begin()
