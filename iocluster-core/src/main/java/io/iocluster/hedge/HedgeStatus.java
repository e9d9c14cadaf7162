package io.iocluster.hedge;

import io.iocluster.status.StatusField;
import java.time.Duration;

/**
 * A snapshot of the second attempts of a destination. Immutable.
 */
public record HedgeStatus(
        @StatusField(doc = "`hedge.after`: a percentile of the destination's own latency, or a duration")
        String after,

        @StatusField(
                name = "delayMillis",
                nullable = true,
                doc =
                        "how long the first attempt runs now before a second one starts; null until the percentile is known")
        Duration delay,

        @StatusField(min = 1, doc = "maximum number of second attempts, in percent of the calls")
        int budgetPercent) {}
