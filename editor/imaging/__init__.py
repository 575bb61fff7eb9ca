"""Decoding and encoding images, and the child process in which this happens. Does not depend on Django."""
