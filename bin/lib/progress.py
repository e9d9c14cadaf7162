"""Shows the progress of a run of the test suite: python3 progress.py ROOT LOG. Reads the output of Maven, writes all of it to the log, and
prints the modules that it builds, errors, failed test classes, and from time to time how many classes are done and how long the others may
take.
"""

import pathlib
import re
import sys
import time

from failures import test_classes

SECONDS_BETWEEN_LINES = 15
FEWEST_FOR_ESTIMATE = 20
DONE = re.compile(r"^\[\w+\] +Tests run: \d+, Failures: (\d+), Errors: (\d+),.* -- in (\S+)$")
MODULE = re.compile(r"^\[INFO\] Building IOCluster")
ERROR = re.compile(r"^\[ERROR\]")
COLORS = re.compile(r"\x1b\[[\d;]*m")


class Progress:
    """Counts the test classes of a run."""

    def __init__(self, classes, clock):
        self.classes = classes
        self.clock = clock
        self.done = set()
        self.failed = set()
        self.next_line_seconds = 0
        self.restart()

    def restart(self):
        """Measures the pace from now on. While modules are built, it says nothing about the rest of the run."""
        self.start_seconds = self.clock()
        self.done_at_start = len(self.done)

    def lines(self, line):
        """Yields what to print for a line of Maven's output."""
        line = COLORS.sub("", line.rstrip("\n"))
        if MODULE.match(line):
            self.restart()
            yield line
        elif ERROR.match(line):
            yield line
        ended = DONE.match(line)
        if ended:
            yield from self.ended(ended.group(3), ended.group(1) != "0" or ended.group(2) != "0")

    def ended(self, name, has_failed):
        """Yields a line if one is due, after the end of a test class or of a class in it."""
        name = name.split("$")[0]
        if name not in self.classes:
            return
        self.done.add(name)
        if has_failed:
            self.failed.add(name)
        now = self.clock()
        if now >= self.next_line_seconds or len(self.done) == len(self.classes):
            self.next_line_seconds = now + SECONDS_BETWEEN_LINES
            yield self.summary(now)

    def summary(self, now):
        """Returns the counts and an estimate, which assumes that a class takes as long as the average of those before it."""
        text = f"{len(self.done)} of {len(self.classes)} test classes done, {len(self.failed)} failed"
        done = len(self.done) - self.done_at_start
        if done < FEWEST_FOR_ESTIMATE:
            return text
        minutes = (now - self.start_seconds) / done * (len(self.classes) - len(self.done)) / 60
        return f"{text}, about {minutes:.0f} min left"


def main(root, log):
    progress = Progress(set(test_classes(pathlib.Path(root))), time.monotonic)
    with open(log, "w", encoding="utf-8") as everything:
        for line in sys.stdin:
            everything.write(line)
            everything.flush()
            for shown in progress.lines(line):
                print(shown, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
