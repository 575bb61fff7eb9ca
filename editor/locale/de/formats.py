"""The formats of dates and numbers in German."""

DATE_FORMAT = "d.m.Y"
DATETIME_FORMAT = "d.m.Y, H:i"
TIME_FORMAT = "H:i"
MONTH_DAY_FORMAT = "d.m."
WEEKDAY_FORMAT = "D, j. M"
YEAR_MONTH_FORMAT = "F Y"
DECIMAL_SEPARATOR = ","
THOUSAND_SEPARATOR = "."
NUMBER_GROUPING = 3
