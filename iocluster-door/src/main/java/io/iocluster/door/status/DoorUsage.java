package io.iocluster.door.status;

import io.iocluster.status.StatusField;

/**
 * How much of its limits a door uses. Immutable.
 *
 * @param inFlight calls that the door works on
 * @param bodyBytes bytes of the request bodies that the door holds
 * @param keptAnswers kept answers to asynchronous calls
 * @param keptBytes their size
 * @param streams open streams of answers
 * @param waiting requests that wait for the answer to an asynchronous call
 * @param unreadBytes bytes of the responses that callers have not read
 */
public record DoorUsage(
        @StatusField Usage inFlight,
        @StatusField Usage bodyBytes,
        @StatusField Usage keptAnswers,
        @StatusField Usage keptBytes,
        @StatusField Usage streams,
        @StatusField Usage waiting,
        @StatusField Usage unreadBytes) {

    /** How much of one limit is used. */
    public record Usage(@StatusField long used, @StatusField long limit) {}
}
