package io.iocluster.node.tuning;

import io.iocluster.node.config.TuningSettings;
import io.iocluster.node.tuning.TuningStep.Kind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what is advised, never beyond the limits, and never back and forth more than once a minute. Remembers the last steps. Used
 * by one thread.
 */
final class AutoTuner {

    static final Duration MIN_REVERSAL_INTERVAL = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(AutoTuner.class);
    private static final int REMEMBERED = 20;

    private final WorkerResizer resizing;
    private final Clock clock;
    private final Deque<TuningStep> last = new ArrayDeque<>();
    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    private Kind direction;
    private Instant reversed = Instant.MIN;
    private Instant failed = Instant.MIN;

    /** Changes a node's size, as {@code PATCH /api/workers} does. */
    interface WorkerResizer {

        /**
         * Null for what stays as it is.
         *
         * @throws RuntimeException if the node goes on as before
         */
        void resize(Integer threads, Integer maxInFlight);
    }

    AutoTuner(WorkerResizer resizing, Clock clock) {
        this.resizing = resizing;
        this.clock = clock;
    }

    /** The last ones, the oldest first. */
    List<TuningStep> recentSteps() {
        return List.copyOf(last);
    }

    /** How many there were since the start. */
    Map<Kind, Long> stepCounts() {
        return Map.copyOf(counts);
    }

    /** Takes the step that the advice says, if it says one and the time for it has come. */
    void apply(Advice advice, Observation now, TuningSettings settings) {
        switch (advice.verdict()) {
            case GROW_IN_FLIGHT -> {
                int to = Math.min(advice.maxInFlight(), settings.maxInFlight());
                if (to > now.slots()) {
                    stepInFlight(Kind.MORE_IN_FLIGHT, now.slots(), to, advice.reason());
                }
            }
            case TARGET_SATURATED -> {
                if (advice.maxInFlight() != null && advice.maxInFlight() < now.slots()) {
                    stepInFlight(Kind.FEWER_IN_FLIGHT, now.slots(), advice.maxInFlight(), advice.reason());
                }
            }
            case ADD_THREADS -> {
                int to = Math.min(advice.threads(), settings.effectiveMaxThreads());
                if (to > now.threads()) {
                    step(Kind.MORE_THREADS, now.threads(), to, advice.reason());
                }
            }
            default -> {}
        }
    }

    private void stepInFlight(Kind kind, int before, int after, String reason) {
        Instant now = clock.instant();
        boolean reverses = direction != null && direction != kind;
        if (reverses && now.isBefore(plus(reversed, MIN_REVERSAL_INTERVAL))) {
            return;
        }
        if (step(kind, before, after, reason)) {
            direction = kind;
            reversed = reverses ? now : reversed;
        }
    }

    private boolean step(Kind kind, int before, int after, String reason) {
        Instant now = clock.instant();
        if (now.isBefore(plus(failed, MIN_REVERSAL_INTERVAL))) {
            return false;
        }
        try {
            if (kind == Kind.MORE_THREADS) {
                resizing.resize(after, null);
            } else {
                resizing.resize(null, after);
            }
        } catch (RuntimeException refused) {
            LOG.warn(
                    "workers.{} stays {}, for {} cannot be had: {}", kind.setting(), before, after, refused.toString());
            failed = now;
            return false;
        }
        LOG.info("workers.{} from {} to {}: {}", kind.setting(), before, after, reason);
        counts.merge(kind, 1L, Long::sum);
        last.add(new TuningStep(now, kind, before, after, reason));
        if (last.size() > REMEMBERED) {
            last.remove();
        }
        return true;
    }

    private static Instant plus(Instant instant, Duration span) {
        return instant.equals(Instant.MIN) ? instant : instant.plus(span);
    }
}
