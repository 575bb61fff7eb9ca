"""The embedded engine, which turns prompts into plans and plans into pixels without Django or a network."""
