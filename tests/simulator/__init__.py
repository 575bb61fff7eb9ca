"""The simulator, which runs the real services on a real database, with schedules that a seed determines.

The command `python -m tests.simulator --schedules 2000` runs schedules starting with seed 1. `--seed N`
starts with a different seed. A schedule that violates an invariant is replayed, shortened, and printed as a
story.

The module `scheduler` passes control from thread to thread and can stop a thread anywhere. `world` simulates
everything outside the site: the disk, the engines, and the queue. `actions` contains people's actions,
`oracle` checks the invariants, and `planted` contains bugs that the simulator must find.
"""
