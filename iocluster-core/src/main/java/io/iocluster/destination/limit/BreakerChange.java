package io.iocluster.destination.limit;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A change of a breaker's state. Immutable.
 *
 * @param before the state before the change
 * @param after the state after the change
 * @param failed counted results that were failures; 0 unless the breaker opened
 * @param counted results that the breaker counted; 0 unless the breaker opened
 * @param openFor time since the breaker first opened; zero if it has opened now
 * @param lastFailure the last result that counted as a failure
 */
public record BreakerChange(
        String destination,
        BreakerState before,
        BreakerState after,
        int failed,
        int counted,
        Duration openFor,
        String lastFailure) {

    private static final Logger LOG = LoggerFactory.getLogger(BreakerChange.class);

    /** Writes one line. The first opening is a warning. */
    public void log() {
        long openMillis = openFor.toMillis();
        if (after == BreakerState.HALF_OPEN) {
            LOG.info("Breaker half-open; probes start destination={} openMillis={}", destination, openMillis);
        } else if (after == BreakerState.CLOSED) {
            LOG.info("Breaker closed; waiting calls start destination={} openMillis={}", destination, openMillis);
        } else if (before == BreakerState.HALF_OPEN && counted == 0) {
            LOG.info(
                    "Breaker opened again; no probe had a result destination={} openMillis={}",
                    destination,
                    openMillis);
        } else if (before == BreakerState.HALF_OPEN) {
            LOG.info(
                    "Breaker opened again destination={} openMillis={} failed={}/{} last={}",
                    destination,
                    openMillis,
                    failed,
                    counted,
                    lastFailure);
        } else {
            LOG.warn("Breaker opened destination={} failed={}/{} last={}", destination, failed, counted, lastFailure);
        }
    }
}
