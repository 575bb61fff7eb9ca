"""Decode and encode images, and manage the child process that does this.

This package does not depend on Django.
"""
