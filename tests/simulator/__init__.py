"""The simulator. It runs the real services on a real database, with schedules that a seed decides.

The command `python -m tests.simulator --schedules 2000` runs schedules starting with seed 1. `--seed N`
starts with another seed. A schedule that violates an invariant is replayed, shortened, and printed as a
story.

The module `scheduler` passes control from thread to thread and can stop a thread anywhere. `world` simulates
everything outside the site, which is the disk, the engines, and the queue. `actions` contains the actions of
people, `oracle` checks the invariants, and `planted` contains bugs that the simulator must find.
"""
