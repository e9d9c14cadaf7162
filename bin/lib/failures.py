"""Lists every test that failed since a given time, from the Surefire and Failsafe reports of all modules.

With --complete it also lists the test classes that have no report since then.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

MAX_MESSAGE_CHARACTERS = 300
MAX_DETAIL_LINES = 40
TEST_CLASS = re.compile(r"(Test|IT)\.java")
ABSTRACT = re.compile(r"^(public )?abstract class ", re.MULTILINE)


def reports(root, since):
    """Yields the reports below the root that were written at or after the time, in seconds since the epoch."""
    for kind in ("surefire-reports", "failsafe-reports"):
        for report in sorted(root.glob(f"**/target/{kind}/TEST-*.xml")):
            if report.stat().st_mtime >= since:
                yield report


def failures(report):
    """Yields a text for each failed test of a report: the test and its message, whose further lines are indented. An unreadable report
    counts as a failure.
    """
    try:
        cases = ElementTree.parse(report).getroot().iter("testcase")
    except ElementTree.ParseError as broken:
        yield f"{report.name}: the report cannot be read: {broken}"
        return
    for case in cases:
        for problem in [*case.findall("failure"), *case.findall("error")]:
            lines = (problem.get("message") or problem.get("type") or "").strip().split("\n")[:MAX_DETAIL_LINES]
            lines = [line[:MAX_MESSAGE_CHARACTERS] for line in lines]
            yield "\n    ".join([f"{case.get('classname')}.{case.get('name')}: {lines[0]}", *lines[1:]])


def test_classes(root):
    """Returns the names of all test classes below the root, in order."""
    names = set()
    for folder in root.glob("**/src/test/java"):
        parts = folder.relative_to(root).parts
        # Sources below those of a module are programs that a script copies, such as the one that tests a release.
        if "target" not in parts and parts.count("src") == 1:
            for source in folder.glob("**/*.java"):
                if TEST_CLASS.search(source.name) and not ABSTRACT.search(source.read_text(encoding="utf-8")):
                    names.add(".".join(source.relative_to(folder).with_suffix("").parts))
    return sorted(names)


def missing(root, since):
    """Yields a line for each test class below the root without a report. A suite that leaves out a class has not run."""
    ran = {report.name for report in reports(root, since)}
    for name in test_classes(root):
        if f"TEST-{name}.xml" not in ran:
            yield f"{name}: did not run"


def main(root, since, *options):
    root, since = pathlib.Path(root), float(since)
    lines = [line for report in reports(root, since) for line in failures(report)]
    if "--complete" in options:
        lines += missing(root, since)
    for line in lines:
        print(line)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
