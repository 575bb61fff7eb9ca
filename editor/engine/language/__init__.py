"""The reader of instructions: from English, which stands as data in `en/` and in the operations' own
declarations, to a checked plan. See README.md beside this file."""
