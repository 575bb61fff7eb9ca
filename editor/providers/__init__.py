"""Adapters for engines, which take and return plain values and do not depend on Django."""
