package io.iocluster.testkit.target;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A fault of a whole target, in addition to what the URLs ask for.
 *
 * @param kind what happens to a request
 * @param millis for {@link Kind#LATENCY} the time before the normal response, for {@link Kind#SLOW_BODY} the time that the
 *     body takes
 * @param status for {@link Kind#STATUS} the status of the response
 * @param percent how many requests are affected, from 1 to 100; each request is chosen at random
 */
public record TargetFault(Kind kind, int millis, int status, int percent) {

    private static final int ALL = 100;
    private static final int MAX_MILLIS = 3_600_000;

    /** What happens to a request. */
    public enum Kind {
        /** The normal response comes later. */
        LATENCY,
        /** The response has another status. */
        STATUS,
        /** There is no response, and the connection stays open. */
        HANG,
        /** The target resets the connection. */
        RESET,
        /** The response begins at once, and its body comes in small parts. */
        SLOW_BODY;

        /** Returns the name in URLs and experiments, such as {@code slow-body}. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** @throws IllegalArgumentException if there is no such kind */
        static Kind of(String wireName) {
            return Arrays.stream(values())
                    .filter(kind -> kind.wireName().equals(wireName))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "kind must be latency, status, hang, reset or slow-body: " + wireName));
        }
    }

    public TargetFault {
        check(millis >= 0 && millis <= MAX_MILLIS, "ms must be from 0 to " + MAX_MILLIS + ": " + millis);
        check(status >= 200 && status <= 599, "code must be from 200 to 599: " + status);
        check(percent >= 1 && percent <= ALL, "percent must be from 1 to 100: " + percent);
    }

    private static void check(boolean valid, String message) {
        if (!valid) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Returns the path and query with which a target sets this fault. */
    public String path() {
        return "/fault?kind=" + kind.wireName() + "&fault-ms=" + millis + "&code=" + status + "&percent=" + percent;
    }

    boolean affectsThisRequest() {
        return percent == ALL || ThreadLocalRandom.current().nextInt(ALL) < percent;
    }
}
