"""How dates and numbers look in German."""

DATE_FORMAT = "d.m.Y"
DATETIME_FORMAT = "d.m.Y, H:i"
TIME_FORMAT = "H:i"
MONTH_DAY_FORMAT = "d.m."
YEAR_MONTH_FORMAT = "F Y"
DECIMAL_SEPARATOR = ","
THOUSAND_SEPARATOR = "."
NUMBER_GROUPING = 3
