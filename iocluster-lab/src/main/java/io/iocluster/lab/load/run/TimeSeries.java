package io.iocluster.lab.load.run;

import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.TimePoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Turns the counters of a run into one point a second, and keeps one point for each interval. Confined to the thread of the run.
 */
final class TimeSeries {

    /** More points would make the report slow and add nothing visible. */
    private static final int MAX_POINTS = 7_200;

    private final CallRecorder recorder;
    private final int intervalSeconds;
    private final List<TimePoint> points = new ArrayList<>();
    private final Histogram intervalMicros = new Histogram(LatencyHistogram.MAX_MICROS, LatencyHistogram.DIGITS);
    private Counts lastSecond = new Counts(0, 0, 0, 0);
    private Counts lastPoint = lastSecond;

    /** Totals since the start of the run. */
    private record Counts(long due, long sent, long ended, long errors) {}

    TimeSeries(CallRecorder recorder, Duration planned) {
        this.recorder = recorder;
        this.intervalSeconds = (int) Math.max(1, (planned.toSeconds() + MAX_POINTS - 1) / MAX_POINTS);
    }

    int intervalSeconds() {
        return intervalSeconds;
    }

    List<TimePoint> points() {
        return points;
    }

    /**
     * Ends a second.
     *
     * @param second the second, counted from 0
     * @param due number of calls that were due since the start of the run
     * @return the point of the second
     */
    TimePoint endSecond(long second, String phase, long due) {
        Histogram micros = recorder.intervalMicros();
        intervalMicros.add(micros);
        Counts now = new Counts(due, recorder.sent(), recorder.ended(), recorder.errors());
        TimePoint point = point(second, phase, lastSecond, now, micros);
        lastSecond = now;
        if ((second + 1) % intervalSeconds == 0) {
            points.add(point(second + 1 - intervalSeconds, phase, lastPoint, now, intervalMicros));
            lastPoint = now;
            intervalMicros.reset();
        }
        return point;
    }

    private TimePoint point(long second, String phase, Counts from, Counts to, Histogram micros) {
        return new TimePoint(
                second,
                phase,
                to.due - from.due,
                to.sent - from.sent,
                to.ended - from.ended,
                to.errors - from.errors,
                recorder.outstanding(),
                millis(micros, 50),
                millis(micros, 90),
                millis(micros, 99),
                micros.getMaxValue() / 1e3);
    }

    private static Double millis(Histogram micros, double percentile) {
        return micros.getTotalCount() < LatencyHistogram.neededFor(percentile)
                ? null
                : Double.valueOf(micros.getValueAtPercentile(percentile) / 1e3);
    }
}
