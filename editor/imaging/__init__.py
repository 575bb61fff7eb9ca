"""Bytes to clean pixels and back, and the child process in which that happens. Knows no Django."""
