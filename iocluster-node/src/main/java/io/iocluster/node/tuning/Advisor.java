package io.iocluster.node.tuning;

import io.iocluster.node.config.TuningSettings;
import io.iocluster.node.config.TuningSettings.Mode;
import io.iocluster.node.tuning.TuningPolicy.Evaluation;
import io.iocluster.thread.NodeClock;
import io.iocluster.thread.Platform;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Evaluates once a second what limits a node, and resizes it in mode {@code auto}. Owned by the node. Its state is
 * confined to its own thread, except the status.
 */
public final class Advisor implements AutoCloseable {

    private static final long INTERVAL_MILLIS = 1_000;

    private final Supplier<TuningSettings> settings;
    private final ObservationSource observations;
    private final NodeClock clock;
    private final TuningPolicy policy = new TuningPolicy();
    private final AdviceDebouncer debouncer;
    private final AutoTuner tuner;
    private final ScheduledExecutorService executor;
    private volatile TuningStatus status;
    private volatile Observation observation;

    /** Takes an observation of the node. */
    interface ObservationSource {

        Observation sample(long nanos);
    }

    /** Creates an advisor that {@link #start} starts. */
    public Advisor(TunedNode node, Platform platform) {
        this(() -> node.settings().tuning(), new NodeSampler(node)::sample, node::resize, platform);
    }

    Advisor(
            Supplier<TuningSettings> settings,
            ObservationSource observations,
            AutoTuner.WorkerResizer resizer,
            Platform platform) {
        this.settings = settings;
        this.observations = observations;
        this.clock = platform;
        // Not with the background tasks, because a resize may wait for another change of the settings.
        this.executor = platform.newScheduler("iocluster-tuning");
        this.debouncer = new AdviceDebouncer(platform.clock());
        this.tuner = new AutoTuner(resizer, platform.clock());
        publish(settings.get(), debouncer.update(new Evaluation(Advice.hold("no observation yet"), null, false)), null);
    }

    /** Starts the evaluation. Call it once. */
    public void start() {
        executor.scheduleWithFixedDelay(this::runOnce, INTERVAL_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Returns the latest status. Thread-safe. */
    public TuningStatus status() {
        return status;
    }

    /** Returns the latest observation; null before the first. Thread-safe. */
    public Observation observation() {
        return observation;
    }

    /** Takes one observation, updates the advice, and applies a confirmed one in mode {@code auto}. */
    void runOnce() {
        TuningSettings now = settings.get();
        Observation latest = observations.sample(clock.nanos());
        observation = latest;
        if (now.mode() == Mode.OFF) {
            policy.reset();
            publish(now, debouncer.update(new Evaluation(Advice.hold("tuning.mode is off"), null, false)), null);
            return;
        }
        Evaluation evaluation = policy.evaluate(latest, now);
        Advice advice = debouncer.update(evaluation);
        boolean isConfirmed = advice.equals(evaluation.advice());
        if (now.mode() == Mode.AUTO && isConfirmed) {
            tuner.apply(advice, latest, now);
        }
        publish(now, advice, evaluation.stats());
    }

    private void publish(TuningSettings now, Advice advice, WindowStats stats) {
        boolean lagKnown = stats != null && stats.lag() != null;
        status = new TuningStatus(
                now.mode(),
                advice,
                debouncer.since(),
                stats == null || Double.isNaN(stats.cpu()) ? null : (Double) stats.cpu(),
                now.cpuCeilingRatio(),
                lagKnown ? stats.lag() : null,
                lagKnown ? (Double) stats.lagGrowth() : null,
                stats == null ? 0 : stats.callRate(),
                tuner.recentSteps(),
                tuner.stepCounts());
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
