"""`python -m joiner_magic` is the command `joiner`."""

import sys

from joiner_magic.cli import main

if __name__ == "__main__":
    sys.exit(main())
