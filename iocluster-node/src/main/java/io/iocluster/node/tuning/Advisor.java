package io.iocluster.node.tuning;

import io.iocluster.node.config.TuningSettings;
import io.iocluster.node.config.TuningSettings.Mode;
import io.iocluster.node.tuning.TuningPolicy.Evaluation;
import io.iocluster.thread.DaemonThreadFactory;
import java.time.Clock;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Evaluates once a second what limits a node, and resizes it in mode {@code auto}. Owned by the node. Its state is
 * confined to its own thread, except the status.
 */
public final class Advisor implements AutoCloseable {

    private static final long INTERVAL_MILLIS = 1_000;

    private final Supplier<TuningSettings> settings;
    private final ObservationSource observations;
    private final LongSupplier nanoTime;
    private final TuningPolicy policy = new TuningPolicy();
    private final AdviceDebouncer debouncer;
    private final AutoTuner tuner;
    private final ScheduledExecutorService executor = DaemonThreadFactory.newScheduler("iocluster-tuning");
    private volatile TuningStatus status;
    private volatile Observation observation;

    /** Takes an observation of the node. */
    interface ObservationSource {

        Observation sample(long nanos);
    }

    /** Creates an advisor that {@link #start} starts. */
    public Advisor(TunedNode node) {
        this(
                () -> node.settings().tuning(),
                new NodeSampler(node)::sample,
                node::resize,
                Clock.systemUTC(),
                System::nanoTime);
    }

    Advisor(
            Supplier<TuningSettings> settings,
            ObservationSource observations,
            AutoTuner.WorkerResizer resizer,
            Clock clock,
            LongSupplier nanoTime) {
        this.settings = settings;
        this.observations = observations;
        this.nanoTime = nanoTime;
        this.debouncer = new AdviceDebouncer(clock);
        this.tuner = new AutoTuner(resizer, clock);
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
        Observation latest = observations.sample(nanoTime.getAsLong());
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
