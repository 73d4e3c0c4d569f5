"""`python -m knobel`."""

import sys

from knobel.cli import main

sys.exit(main())
