"""Units that can follow a number in an instruction."""

# A pattern for one unit, without a group of its own. Match it without case.
UNIT = (
    r"(?:%|°|percent\b|degrees?\b|deg\b|px\b|pixels?\b|stops?\b|ev\b"
    r"|kb\b|kbytes?\b|kilobytes?\b|mb\b|mbytes?\b|megabytes?\b|dpi\b|ppi\b|dots per inch\b)"
)
