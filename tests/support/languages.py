"""The languages tests speak: three of the complete ones in `make test`, all others in `make test-rest`."""

from knobel.lang import COMPLETE
from tests.support.selection import mostly_rest

SPOKEN = mostly_rest(COMPLETE, "de", "en", "uk")
