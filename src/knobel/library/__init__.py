"""What `import knobel` offers: editions and their rules, scoring, a board to play on, records, solved books."""

from knobel.errors import KnobelError
from knobel.library.errors import explain

KnobelError.describe = staticmethod(explain)
