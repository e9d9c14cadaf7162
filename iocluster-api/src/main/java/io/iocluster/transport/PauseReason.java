package io.iocluster.transport;

import java.util.Locale;

/** Why a source reads nothing, or less than it could. */
public enum PauseReason {
    /** An operator paused the node. */
    OPERATOR,
    /** The pipeline has reached a limit of calls, bytes or unconfirmed answers. */
    BACKPRESSURE,
    /** The node drains before it stops. */
    DRAIN,
    /** Answers could not be published; the source waits before it delivers their requests again. */
    BACKOFF,
    /** A partition or its commit metadata is too far ahead of its oldest unsettled message. */
    UNCOMMITTED_LIMIT,
    /** Messages that wait for calls take all bytes of the source's buffer. */
    BUFFER_FULL,
    /** The broker accepts no messages, because it is short of memory or disk. */
    BROKER_BLOCKED;

    /** Returns the name in metrics and in the admin API, such as {@code buffer-full}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
