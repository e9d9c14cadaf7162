package io.iocluster.simulation.network;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * A simulated target: how it answers, and what happens to it. Confined to the thread of the simulation.
 *
 * <p>Latencies are drawn from a log-normal distribution, which fits the response times of services.
 */
public final class Target {

    private static final double SIGMA = 0.5;
    private static final int[] STATUSES = {404, 429, 500, 502, 503};
    private static final int BUSY_STATUS = 503;

    private final String host;
    private final double medianNanos;
    private final double errors;
    private final double resets;
    private State state = State.WELL;

    /** What happens to every request. */
    public enum State {
        WELL,
        REFUSES,
        HANGS,
        FAILS,
        /** Reads the request and resets the connection. */
        RESETS,
        /** Asks for a pause of one or two seconds. */
        BUSY
    }

    /** How one request ends. */
    enum Ending {
        RESPONSE,
        REFUSED,
        HANG,
        RESET_BEFORE,
        RESET_AFTER,
        RESET_IN_BODY
    }

    /**
     * What the target does with one request.
     *
     * @param nanos from the arrival of the request to the response
     * @param retryAfterSeconds 0 for none
     */
    record Reaction(Ending ending, int status, long nanos, int retryAfterSeconds, int bodyBytes) {

        @Override
        public String toString() {
            String after = " after " + nanos / 1_000 + " µs";
            return ending == Ending.RESPONSE
                    ? status + after + (retryAfterSeconds > 0 ? ", Retry-After: " + retryAfterSeconds : "")
                    : ending + after;
        }
    }

    /**
     * Creates a target that is well.
     *
     * @param median median time to answer
     * @param errors part of the requests that it answers with an error status
     * @param resets part of the requests whose connection is reset
     */
    public Target(String host, Duration median, double errors, double resets) {
        this.host = host;
        this.medianNanos = median.toNanos();
        this.errors = errors;
        this.resets = resets;
    }

    public String host() {
        return host;
    }

    public void set(State next) {
        state = next;
    }

    Reaction react(SplittableRandom random) {
        long nanos = (long) (medianNanos * Math.exp(SIGMA * random.nextGaussian()));
        int bytes = random.nextInt(20) == 0 ? random.nextInt(200_000) : 0;
        return switch (state) {
            case REFUSES -> new Reaction(Ending.REFUSED, 0, 0, 0, 0);
            case HANGS -> new Reaction(Ending.HANG, 0, 0, 0, 0);
            case RESETS -> new Reaction(Ending.RESET_AFTER, 0, nanos, 0, 0);
            case FAILS -> new Reaction(Ending.RESPONSE, 500, nanos, 0, bytes);
            case BUSY -> new Reaction(Ending.RESPONSE, BUSY_STATUS, nanos, 1 + random.nextInt(2), bytes);
            case WELL -> wellReaction(random, nanos, bytes);
        };
    }

    private Reaction wellReaction(SplittableRandom random, long nanos, int bytes) {
        double draw = random.nextDouble();
        if (draw < resets) {
            Ending[] ends = {Ending.RESET_BEFORE, Ending.RESET_AFTER, Ending.RESET_IN_BODY};
            return new Reaction(ends[random.nextInt(ends.length)], 0, nanos, 0, 0);
        }
        if (draw < resets + errors) {
            int status = STATUSES[random.nextInt(STATUSES.length)];
            int retryAfter = status == 429 && random.nextBoolean() ? 1 : 0;
            return new Reaction(Ending.RESPONSE, status, nanos, retryAfter, bytes);
        }
        return new Reaction(Ending.RESPONSE, 200, nanos, 0, bytes);
    }
}
