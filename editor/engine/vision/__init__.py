"""Analysis of a photo: its faces, text, and subject, and the exact outline of anything in it."""

# The version of stored analyses. It changes with their format and with the networks. Analyses with a
# different version are not read but made again.
VERSION = 3
