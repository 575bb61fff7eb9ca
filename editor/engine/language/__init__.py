"""The reader of instructions, which turns English into a checked plan.

The rules for English are stored as data in `en/` and in the operations' declarations; see README.md in this
folder.
"""
