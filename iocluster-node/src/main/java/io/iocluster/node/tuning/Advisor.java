package io.iocluster.node.tuning;

import io.iocluster.node.config.TuningSettings;
import io.iocluster.node.config.TuningSettings.Mode;
import io.iocluster.node.tuning.Judge.Judgement;
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
    private final Sampling sampling;
    private final LongSupplier nanoTime;
    private final Judge judge = new Judge();
    private final Confirmation confirmation;
    private final Steps steps;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "iocluster-tuning");
        made.setDaemon(true);
        return made;
    });
    private volatile TuningStatus status;

    /** Looks at the node. */
    interface Sampling {

        Observation sample(long nanos);
    }

    /** An advisor that has yet to be started. */
    public Advisor(TunedNode node) {
        this(
                () -> node.settings().tuning(),
                new Sampler(node)::sample,
                node::resize,
                Clock.systemUTC(),
                System::nanoTime);
    }

    Advisor(
            Supplier<TuningSettings> settings,
            Sampling sampling,
            Steps.Resizing resizing,
            Clock clock,
            LongSupplier nanoTime) {
        this.settings = settings;
        this.sampling = sampling;
        this.nanoTime = nanoTime;
        this.confirmation = new Confirmation(clock);
        this.steps = new Steps(resizing, clock);
        publish(
                settings.get(),
                confirmation.confirm(new Judgement(Advice.hold("nothing was seen yet"), null, false)),
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
            look();
        } catch (RuntimeException bug) {
            LOG.error("defect in the tuning advisor", bug);
        }
    }

    /** Looks once. */
    void look() {
        TuningSettings now = settings.get();
        if (now.mode() == Mode.OFF) {
            judge.forget();
            publish(now, confirmation.confirm(new Judgement(Advice.hold("tuning.mode is off"), null, false)), null);
            return;
        }
        Observation seen = sampling.sample(nanoTime.getAsLong());
        Judgement judgement = judge.judge(seen, now);
        Advice advice = confirmation.confirm(judgement);
        boolean isConfirmed = advice.equals(judgement.advice());
        if (now.mode() == Mode.AUTO && isConfirmed) {
            steps.follow(advice, seen, now);
        }
        publish(now, advice, judgement.figures());
    }

    private void publish(TuningSettings now, Advice advice, Figures figures) {
        boolean lagKnown = figures != null && figures.lag() != null;
        status = new TuningStatus(
                now.mode(),
                advice,
                confirmation.since(),
                figures == null || Double.isNaN(figures.cpu()) ? null : (Double) figures.cpu(),
                now.cpuCeilingPart(),
                lagKnown ? figures.lag() : null,
                lagKnown ? (Double) figures.trend() : null,
                figures == null ? 0 : figures.rate(),
                steps.last(),
                steps.counts());
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
