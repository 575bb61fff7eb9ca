"""The reader of instructions, which turns English into a checked plan.

English is data, in `en/` and in the declarations of the operations; see README.md in this folder.
"""
