package io.iocluster.testkit.chaos;

import static io.iocluster.testkit.chaos.CallKind.ALL;
import static io.iocluster.testkit.chaos.CallKind.ANY;
import static io.iocluster.testkit.chaos.CallKind.COMPRESSED;
import static io.iocluster.testkit.chaos.CallKind.CONNECTION_REFUSED;
import static io.iocluster.testkit.chaos.CallKind.DRIP;
import static io.iocluster.testkit.chaos.CallKind.EARLY_HINTS;
import static io.iocluster.testkit.chaos.CallKind.FLAKY;
import static io.iocluster.testkit.chaos.CallKind.GARBAGE;
import static io.iocluster.testkit.chaos.CallKind.MALFORMED;
import static io.iocluster.testkit.chaos.CallKind.NO_RESPONSE;
import static io.iocluster.testkit.chaos.CallKind.OK;
import static io.iocluster.testkit.chaos.CallKind.RESET;
import static io.iocluster.testkit.chaos.CallKind.SLOW;
import static io.iocluster.testkit.chaos.CallKind.TRUNCATED;
import static io.iocluster.testkit.chaos.CallKind.UNAVAILABLE;
import static io.iocluster.testkit.chaos.CallKind.UNKNOWN_FIELD;

import java.util.List;
import java.util.random.RandomGenerator;

/** The call kinds from which calls are drawn; a kind that is listed more often is drawn more often. */
public enum CallMix {
    NORMAL(OK, OK, OK, OK, OK, OK, OK, COMPRESSED, SLOW, DRIP, FLAKY, ANY, ALL, UNKNOWN_FIELD, MALFORMED),
    MOSTLY_SLOW(OK, OK, OK, SLOW, SLOW, SLOW, DRIP, DRIP, ANY, ALL),
    HOSTILE(
            OK,
            OK,
            OK,
            UNAVAILABLE,
            NO_RESPONSE,
            RESET,
            TRUNCATED,
            GARBAGE,
            EARLY_HINTS,
            CONNECTION_REFUSED,
            FLAKY,
            ANY,
            ALL);

    private final List<CallKind> kinds;

    CallMix(CallKind... kinds) {
        this.kinds = List.of(kinds);
    }

    CallKind draw(RandomGenerator random) {
        return kinds.get(random.nextInt(kinds.size()));
    }
}
