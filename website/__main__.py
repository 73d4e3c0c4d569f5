"""`python -m website`: builds the site into build/site; `make docs` installs what it needs first."""

import sys

from knobel.lang import sort_languages
from website.build import BuildFailed, build_site
from website.links import ROOT, DeadLink


def main() -> None:
    """Build the site, with pads in every language, and say where it is."""
    try:
        site = build_site(ROOT / "build", sort_languages()).relative_to(ROOT)
    except (BuildFailed, DeadLink) as error:
        sys.exit(str(error))
    sys.stdout.write(f"The site is in {site}; open {site}/index.html.\n")


if __name__ == "__main__":
    main()
