"""Lists every test that failed since a given time, from the Surefire and Failsafe reports of all modules."""

import pathlib
import sys
import xml.etree.ElementTree as ElementTree

MAX_MESSAGE_CHARACTERS = 300


def reports(root, since):
    """Yields the reports below the root that were written at or after the time, in seconds since the epoch."""
    for kind in ("surefire-reports", "failsafe-reports"):
        for report in sorted(root.glob(f"**/target/{kind}/TEST-*.xml")):
            if report.stat().st_mtime >= since:
                yield report


def failures(report):
    """Yields a line for each failed test of a report. An unreadable report counts as a failure."""
    module = report.parents[2].name
    try:
        cases = ElementTree.parse(report).getroot().iter("testcase")
    except ElementTree.ParseError as broken:
        yield f"{module} {report.name}: the report cannot be read: {broken}"
        return
    for case in cases:
        for problem in [*case.findall("failure"), *case.findall("error")]:
            message = (problem.get("message") or problem.get("type") or "").strip().split("\n")[0]
            yield f"{module} {case.get('classname')}.{case.get('name')}: {message[:MAX_MESSAGE_CHARACTERS]}"


def main(root, since):
    lines = [line for report in reports(pathlib.Path(root), float(since)) for line in failures(report)]
    for line in lines:
        print(line)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
