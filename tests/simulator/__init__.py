"""The simulator: the real services on a real database, under schedules that a seed decides.

`python -m tests.simulator --schedules 2000` runs schedules from seed 1 on, and `--seed N` begins at another.
One that breaks something is replayed, shortened, and told as a story. `stage` hands the turn from thread to
thread and stops them anywhere, `world` is the far end of everything (disk, engines, queue), `acts` is what
people do, `oracle` says what must be true, `planted` holds bugs that must be found.
"""
