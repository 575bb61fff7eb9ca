"""The embedded engine: it turns a prompt into a plan and a plan into pixels, without Django or a network."""
