"""Doors to engines: plain values in and out. Knows no Django."""
