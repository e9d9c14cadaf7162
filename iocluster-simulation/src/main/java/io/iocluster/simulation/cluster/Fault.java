package io.iocluster.simulation.cluster;

/**
 * Something that goes wrong for a time.
 *
 * @param millis how long it lasts; a fault without a duration ignores it
 * @param node number of the node; a fault of the broker or of a target ignores it
 * @param host the target; a fault of something else ignores it
 * @param strength 0 to 1: a part, or how far a setting moves
 */
public record Fault(Kind kind, long atMillis, long millis, int node, String host, double strength) {

    /** What goes wrong. */
    public enum Kind {
        /** {@code kill -9}, and a new process after the time. */
        KILL,
        /** SIGTERM, and a new process after the time. */
        DRAIN,
        PAUSE_PROCESS,
        STEP_CLOCK,
        RESIZE,
        RELOAD,
        LOSE_CONNECTION,
        STOP_BROKER,
        LOSE_CONFIRMS,
        REFUSE_PUBLISHES,
        SLOW_CONFIRMS,
        DELETE_REPLY_QUEUE,
        /** A fault that only one kind of broker has. */
        DISTURB_BROKER,
        TARGET_REFUSES,
        TARGET_HANGS,
        TARGET_FAILS,
        TARGET_RESETS,
        TARGET_BUSY,
        /** An operator stops reading for a time. */
        PAUSE_READING,
        /** The event loop of a worker dies. */
        LOSE_WORKER,
        /** No announcement arrives, although the broker works. */
        LOSE_ANNOUNCEMENTS,
        /** Announcements arrive late. */
        DELAY_ANNOUNCEMENTS
    }

    @Override
    public String toString() {
        return atMillis + " ms: " + kind + " for " + millis + " ms, node " + node + ", host " + host + ", strength "
                + Math.round(strength * 100) / 100.0;
    }
}
