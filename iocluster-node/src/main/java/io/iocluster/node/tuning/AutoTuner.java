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
 * Applies advice within the configured limits, and reverses its direction at most once a minute. Remembers the recent
 * steps. Confined to the advisor's thread.
 */
final class AutoTuner {

    static final Duration MIN_REVERSAL_INTERVAL = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(AutoTuner.class);
    private static final int MAX_RECENT_STEPS = 20;

    private final WorkerResizer resizer;
    private final Clock clock;
    private final Deque<TuningStep> recent = new ArrayDeque<>();
    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    private Kind direction;
    private Instant lastReversal = Instant.MIN;
    private Instant lastFailure = Instant.MIN;

    /** Resizes a node like {@code PATCH /api/workers}. */
    interface WorkerResizer {

        /**
         * Resizes the node; null leaves a value unchanged.
         *
         * @throws RuntimeException if the resize fails; the node keeps its size
         */
        void resize(Integer threads, Integer maxInFlight);
    }

    AutoTuner(WorkerResizer resizer, Clock clock) {
        this.resizer = resizer;
        this.clock = clock;
    }

    /** Returns the last steps, oldest first. */
    List<TuningStep> recentSteps() {
        return List.copyOf(recent);
    }

    /** Returns the number of steps since the start; a kind without steps is absent. */
    Map<Kind, Long> stepCounts() {
        return Map.copyOf(counts);
    }

    /** Applies the advice if it contains a step and neither a reversal nor a failure was too recent. */
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
        if (reverses && now.isBefore(plus(lastReversal, MIN_REVERSAL_INTERVAL))) {
            return;
        }
        if (step(kind, before, after, reason)) {
            direction = kind;
            lastReversal = reverses ? now : lastReversal;
        }
    }

    private boolean step(Kind kind, int before, int after, String reason) {
        Instant now = clock.instant();
        if (now.isBefore(plus(lastFailure, MIN_REVERSAL_INTERVAL))) {
            return false;
        }
        try {
            if (kind == Kind.MORE_THREADS) {
                resizer.resize(after, null);
            } else {
                resizer.resize(null, after);
            }
        } catch (RuntimeException failure) {
            LOG.warn(
                    "Tuning step failed; the size is unchanged and the next step waits a minute"
                            + " setting=workers.{} size={} requested={} error={}",
                    kind.setting(),
                    before,
                    after,
                    failure.toString());
            lastFailure = now;
            return false;
        }
        LOG.info(
                "Tuning step applied setting=workers.{} before={} after={} reason={}",
                kind.setting(),
                before,
                after,
                reason);
        counts.merge(kind, 1L, Long::sum);
        recent.add(new TuningStep(now, kind, before, after, reason));
        if (recent.size() > MAX_RECENT_STEPS) {
            recent.remove();
        }
        return true;
    }

    private static Instant plus(Instant instant, Duration span) {
        return instant.equals(Instant.MIN) ? instant : instant.plus(span);
    }
}
