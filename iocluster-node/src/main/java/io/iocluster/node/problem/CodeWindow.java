package io.iocluster.node.problem;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.node.problem.CodeCounts.Recently;
import io.iocluster.node.window.CodeTotals;
import io.iocluster.node.window.HalfWindow;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * The rejected calls and dead letters of the last minute, and the calls of the last seconds that were not made in time, from totals that only
 * grow. The windows are one to two halves long. Confined to the monitor's thread.
 */
final class CodeWindow {

    private static final Duration HALF_MINUTE = Duration.ofSeconds(30);
    private static final Duration FEW_SECONDS = Duration.ofSeconds(5);

    private final HalfWindow<Totals> minute;
    private final HalfWindow<Totals> seconds;
    private final LastIncrease rejections = new LastIncrease();
    private final LastIncrease deadLetters = new LastIncrease();

    private record Totals(long nanos, CodeTotals counts) {}

    CodeWindow(long nowNanos) {
        Totals none = new Totals(nowNanos, new CodeTotals(0, Map.of(), Map.of(), Map.of()));
        this.minute = new HalfWindow<>(HALF_MINUTE, none, nowNanos);
        this.seconds = new HalfWindow<>(FEW_SECONDS, none, nowNanos);
    }

    /**
     * Moves the windows forward, if it is time, and returns the counts in them.
     *
     * @param app the app with most of the recent calls without an answer; null if there is none
     */
    CodeCounts advance(CodeTotals totals, String app, long nowNanos) {
        Totals now = new Totals(nowNanos, totals);
        Totals start = minute.advance(() -> now, nowNanos);
        Totals recent = seconds.advance(() -> now, nowNanos);
        double passed = (nowNanos - start.nanos) / 1e9;
        return new CodeCounts(
                totals.received() - start.counts.received(),
                rejections.current(difference(rejected(totals), rejected(start.counts)), passed, nowNanos),
                deadLetters.current(difference(totals.deadLetters(), start.counts.deadLetters()), passed, nowNanos),
                new Recently(
                        difference(totals.notMade(), recent.counts.notMade()),
                        totals.received() - recent.counts.received(),
                        Math.max(1, (nowNanos - recent.nanos) / 1e9),
                        app));
    }

    private static Map<ErrorCode, Long> rejected(CodeTotals totals) {
        Map<ErrorCode, Long> rejected = new EnumMap<>(ErrorCode.class);
        totals.failures().forEach((code, count) -> {
            if (code.outcome() == Outcome.REJECTED) {
                // A rejected call without a reply is a dead letter.
                rejected.put(code, count - totals.deadLetters().getOrDefault(code, 0L));
            }
        });
        return rejected;
    }

    private static <K> Map<K, Long> difference(Map<K, Long> now, Map<K, Long> before) {
        Map<K, Long> more = new HashMap<>();
        now.forEach((key, count) -> {
            long added = count - before.getOrDefault(key, 0L);
            if (added > 0) {
                more.put(key, added);
            }
        });
        return more;
    }

    /** When a sum grew last, so that what has stopped is not reported for a minute. */
    private static final class LastIncrease {

        private long last;
        private long nanos;

        Map<ErrorCode, Long> current(Map<ErrorCode, Long> counts, double windowSeconds, long nowNanos) {
            long sum = counts.values().stream().mapToLong(Long::longValue).sum();
            if (sum > last) {
                nanos = nowNanos;
            }
            last = sum;
            Duration quiet = Duration.ofNanos(nowNanos - nanos);
            return Recurrence.hasStopped(quiet, sum, windowSeconds) ? Map.of() : counts;
        }
    }
}
