"""Units that can follow a number in an instruction."""

import re

# A pattern for one unit. It has no capturing group, and it must be matched without regard to case.
UNIT = (
    r"(?:%|°|percent\b|degrees?\b|deg\b|px\b|pixels?\b|stops?\b|ev\b"
    r"|kb\b|kbytes?\b|kilobytes?\b|mb\b|mbytes?\b|megabytes?\b|dpi\b|ppi\b|dots per inch\b)"
)
# The width, the height, and the unit of a print in a plan, such as "4 x 6 inches".
PAPER_SIZE = re.compile(r"([\d.]+) x ([\d.]+) (inches|mm)")
