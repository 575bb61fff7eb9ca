"""Measure the work of parsing 10,000 expensive prompts.

Each prompt has 2,000 characters and up to 20 boxes.
"""

import time
from unittest.mock import patch

from tests.benchmarks import Row

SENTENCES = 10_000
SLACK = 1.05  # maximum work, as a multiple of the parser's limit, which the last step may exceed
MAX_CPU_SECONDS = 0.3  # the parser's time limit, plus the time until the parser checks the clock again


def run() -> list[Row]:
    """Measure the number of edges that the parser creates, and the CPU time of this thread.

    Every run of the benchmark uses the same prompts.
    """
    from editor.engine.language.budget import MAX_EDGES, Budget
    from editor.engine.language.explain import explain
    from editor.options import Region
    from tests.engine.long_sentences import long_sentences

    made, seconds, refused = list[Budget](), list[float](), 0

    def budget() -> Budget:
        made.append(Budget())
        return made[-1]

    explain("brighter")
    with patch("editor.engine.language.reader.Budget", budget):
        for text, boxes in long_sentences(SENTENCES, seed=26):
            started = time.thread_time()
            refused += explain(text, regions=[Region(0.1, 0.1, 0.3, 0.3)] * boxes).is_too_long
            seconds.append(time.thread_time() - started)
    most, limit = max(one.used for one in made), MAX_EDGES * SLACK
    slow = sorted(seconds)[int(0.99 * SENTENCES)]
    return [
        Row(f"most edges of {SENTENCES} long sentences", most, limit, "", most <= limit),
        Row("CPU within which 99% of them are read", slow, MAX_CPU_SECONDS, "s", slow <= MAX_CPU_SECONDS),
        Row("refused as too long", refused, None, "", True),
    ]
