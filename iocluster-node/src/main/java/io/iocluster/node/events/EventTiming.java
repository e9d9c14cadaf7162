package io.iocluster.node.events;

import java.time.Duration;

/**
 * The times of the event streams. Immutable.
 *
 * @param tick how often the parts are read
 * @param heartbeat a stream that had nothing to send for this time sends a comment
 * @param stalled a stream whose client has read nothing for this time is cut off
 * @param longest a stream ends after this time; its client opens another one
 */
public record EventTiming(Duration tick, Duration heartbeat, Duration stalled, Duration longest) {

    public static final EventTiming DEFAULT =
            new EventTiming(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofHours(1));
}
