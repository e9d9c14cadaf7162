package io.iocluster.destination;

import io.iocluster.destination.limit.BreakerState;
import io.iocluster.settings.Rate;
import java.time.Duration;

/**
 * A destination as it stands.
 *
 * @param name the configured name, {@code host:port} for what has none, {@code other} for all that are not told apart
 * @param configured whether that name is a configured one
 * @param inFlight attempts under way
 * @param limit most attempts under way now, by {@code max-in-flight} and the adaptive limit; 0 if only its share bounds it
 * @param waiting calls in its line, retries that are not yet due included
 * @param retriesRefused how often its budget had no room for a retry
 * @param pausedFor how long it still has asked to be left alone, zero if it has not
 * @param attempts begun since it is known; one that is forgotten and met again begins at zero
 * @param rate most attempts begun in a span of time
 */
public record DestinationStatus(
        String name,
        boolean configured,
        int inFlight,
        int limit,
        int waiting,
        BreakerState breaker,
        long retryBudgetExhausted,
        Duration pausedFor,
        long attempts,
        Rate rate) {}
