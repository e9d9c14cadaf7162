package io.iocluster.testkit.chaos;

import static io.iocluster.testkit.chaos.CallKind.ALL;
import static io.iocluster.testkit.chaos.CallKind.ANY;
import static io.iocluster.testkit.chaos.CallKind.COMPRESSED;
import static io.iocluster.testkit.chaos.CallKind.CUT_SHORT;
import static io.iocluster.testkit.chaos.CallKind.DRIP;
import static io.iocluster.testkit.chaos.CallKind.EARLY;
import static io.iocluster.testkit.chaos.CallKind.FLAKY;
import static io.iocluster.testkit.chaos.CallKind.GARBAGE;
import static io.iocluster.testkit.chaos.CallKind.MALFORMED;
import static io.iocluster.testkit.chaos.CallKind.OK;
import static io.iocluster.testkit.chaos.CallKind.REFUSED;
import static io.iocluster.testkit.chaos.CallKind.RESET;
import static io.iocluster.testkit.chaos.CallKind.SILENT;
import static io.iocluster.testkit.chaos.CallKind.SLOW;
import static io.iocluster.testkit.chaos.CallKind.UNAVAILABLE;
import static io.iocluster.testkit.chaos.CallKind.UNKNOWN_FIELD;

import java.util.List;
import java.util.random.RandomGenerator;

/** The mix of calls. */
public enum Mood {
    CALM(OK, OK, OK, OK, OK, OK, OK, COMPRESSED, SLOW, DRIP, FLAKY, ANY, ALL, UNKNOWN_FIELD, MALFORMED),
    SLUGGISH(OK, OK, OK, SLOW, SLOW, SLOW, DRIP, DRIP, ANY, ALL),
    HOSTILE(OK, OK, OK, UNAVAILABLE, SILENT, RESET, CUT_SHORT, GARBAGE, EARLY, REFUSED, FLAKY, ANY, ALL);

    private final List<CallKind> kinds;

    Mood(CallKind... kinds) {
        this.kinds = List.of(kinds);
    }

    CallKind draw(RandomGenerator random) {
        return kinds.get(random.nextInt(kinds.size()));
    }
}
