package io.iocluster.pipeline.call;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.settings.DurationText;
import java.time.Duration;

/** Says what a call waited for when its deadline passed, so that the caller does not take the target for slow. Stateless. */
final class ExpiredWait {

    private ExpiredWait() {}

    /** Returns the message of a call that waited in the queue of its destination. */
    static String forDestination(Call call) {
        DestinationStatus status = call.target().status();
        return "the deadline passed while the call waited for " + status.name() + ": " + reason(status);
    }

    /** Returns the message of a call that waited for the quota of its app. */
    static String forQuota(Call call) {
        return "the deadline passed while the call waited for the quota of the app "
                + call.app().name();
    }

    private static String reason(DestinationStatus status) {
        if (!status.pausedFor().isZero()) {
            return "with the Retry-After of an earlier response, it asked for no calls for another "
                    + seconds(status.pausedFor());
        }
        if (status.operator().pause() != null) {
            return "an operator has paused it for another "
                    + seconds(status.operator().pause().remaining());
        }
        if (status.breaker() == BreakerState.OPEN || status.breaker() == BreakerState.HALF_OPEN) {
            return "its circuit breaker is not closed, because it keeps failing";
        }
        if (status.limit() > 0 && status.inFlight() >= status.limit()) {
            return "its " + status.limit() + " slots are used";
        }
        return "its limits or those of the node allowed no attempt";
    }

    private static String seconds(Duration left) {
        return DurationText.format(Duration.ofSeconds(Math.max(1, left.toSeconds())));
    }
}
