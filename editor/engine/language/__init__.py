"""The reader of instructions, which turns English into a checked plan.

The rules for English are data in `en/` and in the declarations of the operations; see README.md in this
folder.
"""
