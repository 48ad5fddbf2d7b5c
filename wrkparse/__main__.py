"""``python -m wrkparse``."""

from wrkparse.cli import main

main()
