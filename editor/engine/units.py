"""Units that can follow a number in an instruction."""

# A pattern for one unit. It has no capturing group, and it must be matched without regard to case.
UNIT = (
    r"(?:%|°|percent\b|degrees?\b|deg\b|px\b|pixels?\b|stops?\b|ev\b"
    r"|kb\b|kbytes?\b|kilobytes?\b|mb\b|mbytes?\b|megabytes?\b|dpi\b|ppi\b|dots per inch\b)"
)
