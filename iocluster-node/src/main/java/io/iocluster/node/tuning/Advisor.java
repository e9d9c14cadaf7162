package io.iocluster.node.tuning;

import io.iocluster.node.config.TuningSettings;
import io.iocluster.node.config.TuningSettings.Mode;
import io.iocluster.node.tuning.TuningPolicy.Evaluation;
import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches a node and says once a second what would help it; in mode {@code auto} it does so too. Owned by the node. Has a
 * thread of its own, to which all but the status is confined.
 */
public final class Advisor implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Advisor.class);
    private static final long EVERY_MILLIS = 1_000;

    private final Supplier<TuningSettings> settings;
    private final ObservationSource sampling;
    private final LongSupplier nanoTime;
    private final TuningPolicy judge = new TuningPolicy();
    private final AdviceDebouncer confirmation;
    private final AutoTuner steps;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "iocluster-tuning");
        made.setDaemon(true);
        return made;
    });
    private volatile TuningStatus status;

    /** Looks at the node. */
    interface ObservationSource {

        Observation sample(long nanos);
    }

    /** An advisor that has yet to be started. */
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
            ObservationSource sampling,
            AutoTuner.WorkerResizer resizing,
            Clock clock,
            LongSupplier nanoTime) {
        this.settings = settings;
        this.sampling = sampling;
        this.nanoTime = nanoTime;
        this.confirmation = new AdviceDebouncer(clock);
        this.steps = new AutoTuner(resizing, clock);
        publish(
                settings.get(),
                confirmation.update(new Evaluation(Advice.hold("nothing was seen yet"), null, false)),
                null);
    }

    /** Begins to watch. To be called once. */
    public void start() {
        thread.scheduleWithFixedDelay(this::run, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    public TuningStatus status() {
        return status;
    }

    private void run() {
        try {
            runOnce();
        } catch (RuntimeException bug) {
            LOG.error("defect in the tuning advisor", bug);
        }
    }

    /** Looks once. */
    void runOnce() {
        TuningSettings now = settings.get();
        if (now.mode() == Mode.OFF) {
            judge.reset();
            publish(now, confirmation.update(new Evaluation(Advice.hold("tuning.mode is off"), null, false)), null);
            return;
        }
        Observation seen = sampling.sample(nanoTime.getAsLong());
        Evaluation judgement = judge.evaluate(seen, now);
        Advice advice = confirmation.update(judgement);
        boolean isConfirmed = advice.equals(judgement.advice());
        if (now.mode() == Mode.AUTO && isConfirmed) {
            steps.apply(advice, seen, now);
        }
        publish(now, advice, judgement.stats());
    }

    private void publish(TuningSettings now, Advice advice, WindowStats figures) {
        boolean lagKnown = figures != null && figures.lag() != null;
        status = new TuningStatus(
                now.mode(),
                advice,
                confirmation.since(),
                figures == null || Double.isNaN(figures.cpu()) ? null : (Double) figures.cpu(),
                now.cpuCeilingRatio(),
                lagKnown ? figures.lag() : null,
                lagKnown ? (Double) figures.lagGrowth() : null,
                figures == null ? 0 : figures.callRate(),
                steps.recentSteps(),
                steps.stepCounts());
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
