package io.iocluster.node.problem;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.node.window.CodeTotals;
import io.iocluster.node.window.HalfWindow;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * The rejected calls and dead letters of the last minute, from totals that only grow. The window is 30 to 60 seconds
 * long. Confined to the monitor's thread.
 */
final class CodeWindow {

    private final HalfWindow<CodeCounts> window;

    CodeWindow(long nowNanos) {
        this.window = new HalfWindow<>(Duration.ofSeconds(30), CodeCounts.NONE, nowNanos);
    }

    /** Moves the window forward, if it is time, and returns the counts in it. */
    CodeCounts advance(CodeTotals totals, long nowNanos) {
        CodeCounts now = counts(totals);
        CodeCounts start = window.advance(() -> now, nowNanos);
        return new CodeCounts(
                now.received() - start.received(),
                difference(now.rejected(), start.rejected()),
                difference(now.deadLetters(), start.deadLetters()));
    }

    private static CodeCounts counts(CodeTotals totals) {
        Map<ErrorCode, Long> rejected = new EnumMap<>(ErrorCode.class);
        totals.failures().forEach((code, count) -> {
            if (code.outcome() == Outcome.REJECTED) {
                // A rejected call without a reply is a dead letter.
                rejected.put(code, count - totals.deadLetters().getOrDefault(code, 0L));
            }
        });
        return new CodeCounts(totals.received(), rejected, totals.deadLetters());
    }

    private static Map<ErrorCode, Long> difference(Map<ErrorCode, Long> now, Map<ErrorCode, Long> before) {
        Map<ErrorCode, Long> more = new EnumMap<>(ErrorCode.class);
        now.forEach((code, count) -> {
            long added = count - before.getOrDefault(code, 0L);
            if (added > 0) {
                more.put(code, added);
            }
        });
        return more;
    }
}
