package io.iocluster.lab.load.run;

import io.iocluster.lab.load.result.TimePoint;
import java.time.Duration;

/**
 * The progress of a run.
 *
 * @param point the interval that has ended
 * @param totalSent number of calls since the start
 * @param totalErrors number of errors since the start
 * @param lagSeconds the latest {@link io.iocluster.lab.load.result.MetricSeries#LAG_SECONDS}; null if unknown
 * @param remaining time until the last call is due; null if unknown
 */
public record Progress(
        TimePoint point,
        double seconds,
        double intendedRate,
        long totalSent,
        long totalErrors,
        Double lagSeconds,
        Duration remaining) {}
