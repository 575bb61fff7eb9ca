"""The simulator: the real services on a real database, with schedules that a seed decides.

`python -m tests.simulator --schedules 2000` runs schedules starting with seed 1, and `--seed N` starts with
another. A schedule that breaks an invariant is replayed, shortened, and printed as a story. `scheduler`
passes control from thread to thread and can stop them anywhere, `world` simulates everything outside (disk,
engines, queue), `actions` contains what people do, `oracle` checks the invariants, and `planted` contains
bugs that must be found.
"""
