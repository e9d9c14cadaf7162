package io.iocluster.http.servers;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/** What a server does while calls run, with the calls that show it. */
enum Fault {
    /** Nothing, with the server's default settings. */
    STEADY("steady", Calls.mixed(60)),
    /** Nothing, with POST requests only. nginx closes a connection after 1,000 requests. */
    POSTS_60("posts-60", Calls.posts(60)),
    POSTS_100("posts-100", Calls.posts(100)),
    /** A connection ends after few requests, or after 100 where the server cannot count fewer. */
    KEEPALIVE_LIMIT("keepalive-limit", Calls.mixed(60)),
    /** The server gets a new configuration or a successor, and ends what it began. */
    RELOAD("reload", Calls.mixed(60)),
    /** The server closes connections that are idle for about a second, and calls come in bursts a second apart. */
    SHORT_IDLE("short-idle", Calls.bursts(60, Duration.ofMillis(1_000))),
    /** The client closes connections that are idle for a second, before the server does. */
    LONG_IDLE("long-idle", Calls.bursts(60, Duration.ofMillis(1_000))),
    /** The server is killed and started again. */
    KILL("kill", Calls.mixed(60)),
    /** The server rejects bodies of 1 MB with 413. */
    BODY_LIMIT("body-limit", Calls.large(8, "/echo", 1_000_000, 413)),
    /** The application rejects bodies of 4 MB with 401 after the head, and reads on only a little later. */
    EARLY_ANSWER("early-answer", Calls.large(8, "/deny", 4_000_000, 401)),
    /** The application reads and writes slowly. */
    SLOW_READER("slow-reader", Calls.large(20, "/slow", 300_000, 200)),
    /** The server accepts four HTTP/2 streams at once. */
    FEW_STREAMS("few-streams", Calls.mixed(60)),
    /** The server refuses each tenth HTTP/2 stream. */
    REFUSED_STREAMS("refused-streams", Calls.mixed(60));

    private final String label;
    private final Calls calls;

    Fault(String label, Calls calls) {
        this.label = label;
        this.calls = calls;
    }

    /** Returns the fault with this label. */
    static Fault of(String label) {
        return Arrays.stream(values())
                .filter(fault -> fault.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown fault: " + label));
    }

    String label() {
        return label;
    }

    Calls calls() {
        return calls;
    }

    /** Returns whether only HTTP/2 has it. */
    boolean isOfStreams() {
        return this == FEW_STREAMS || this == REFUSED_STREAMS;
    }

    /** Returns the protocols that show the fault: all if the server does nothing, as many lines make the matrix long. */
    Set<Protocol> protocols() {
        return this == STEADY ? EnumSet.allOf(Protocol.class) : EnumSet.of(Protocol.H1, Protocol.H2_TLS13);
    }

    /** Returns whether the server is restarted or reloaded while calls run, so that a gateway in it may answer with 502 or 503. */
    boolean interrupts() {
        return this == RELOAD || this == KILL;
    }

    /**
     * The calls of a fault.
     *
     * @param atOnce calls in flight
     * @param pause between bursts of calls; zero for calls without a pause
     * @param onlyPosts whether each call is a POST; otherwise every other one
     * @param path of POST requests; others use {@code /echo}
     * @param bodyBytes of POST requests; 0 for different sizes, mostly small
     * @param postStatus the status of POST requests; that of others is 200
     * @param divisor large or slow calls are fewer by this factor
     */
    record Calls(
            int atOnce, Duration pause, boolean onlyPosts, String path, int bodyBytes, int postStatus, int divisor) {

        /** Bursts that are the fewest, because only the second one meets idle connections. */
        private static final int MIN_BURSTS = 4;

        /** Returns the number of calls if those without a pause and of usual size are this many. */
        int count(int usual) {
            return Math.max(usual / divisor, pause.isZero() ? 2 : MIN_BURSTS * atOnce);
        }

        private static Calls mixed(int atOnce) {
            return new Calls(atOnce, Duration.ZERO, false, "/echo", 0, 200, 1);
        }

        private static Calls posts(int atOnce) {
            return new Calls(atOnce, Duration.ZERO, true, "/echo", 0, 200, 1);
        }

        private static Calls bursts(int atOnce, Duration pause) {
            return new Calls(atOnce, pause, false, "/echo", 0, 200, 10);
        }

        private static Calls large(int atOnce, String path, int bodyBytes, int postStatus) {
            return new Calls(atOnce, Duration.ZERO, false, path, bodyBytes, postStatus, 20);
        }
    }
}
