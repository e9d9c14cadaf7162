package io.iocluster.lab.load.run;

import io.iocluster.lab.load.experiment.Experiment;
import io.iocluster.lab.load.fault.FaultSchedule;
import io.iocluster.lab.load.metric.MetricSampling;
import io.iocluster.lab.load.result.FaultMark;
import io.iocluster.lab.load.result.MetricSeries;
import io.iocluster.lab.load.result.TimePoint;
import io.iocluster.lab.load.schedule.LoadClock;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Follows a run second by second: time series, metrics, faults and listeners. Confined to the thread of the run; other threads
 * queue events for the listeners.
 */
final class RunMonitor implements AutoCloseable {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final String AFTER_PHASES = "drain";

    private final Experiment experiment;
    private final RunParts parts;
    private final CallRecorder recorder;
    private final RunControl control;
    private final LoadClock clock;
    private final TimeSeries series;
    private final MetricSampling metrics;
    private final FaultSchedule faults;
    private final Queue<Consumer<RunListener>> events = new ConcurrentLinkedQueue<>();
    private volatile long startNanos;
    private long second;
    private String phase = "";
    private PhaseCalls calls;
    private long phaseStartNanos;
    private long dueBeforePhase;

    RunMonitor(Experiment experiment, RunParts parts, CallRecorder recorder, RunControl control) {
        this.experiment = experiment;
        this.parts = parts;
        this.recorder = recorder;
        this.control = control;
        this.clock = parts.clock();
        this.series = new TimeSeries(recorder, experiment.plannedDuration());
        this.metrics = new MetricSampling(parts.metrics(), this::seconds, this::message);
        this.faults = new FaultSchedule(
                experiment.faults(),
                experiment.phases().get(0).name(),
                parts.injector(),
                this::seconds,
                mark -> events.add(listener -> listener.fault(mark)));
        this.startNanos = clock.nanoTime();
    }

    /** Reads the metrics once, for the figures before the run. Waits for the sources, with their timeouts. */
    void readBefore() {
        metrics.read();
    }

    /** Starts to read the metrics. The seconds of the run count from this time of the clock. */
    void start(long atNanos) {
        metrics.moveStart(secondsAt(atNanos));
        startNanos = atNanos;
        metrics.start(experiment.metricsInterval(), experiment.plannedDuration());
    }

    /** Returns when the run starts, by the clock. */
    long startNanos() {
        return startNanos;
    }

    /** Returns the seconds since the start of the run. Thread-safe. */
    double seconds() {
        return secondsAt(clock.nanoTime());
    }

    double secondsAt(long nanos) {
        return (nanos - startNanos) / 1e9;
    }

    /** Sends a message to the listeners. Thread-safe. */
    void message(String text) {
        events.add(listener -> listener.message(text));
    }

    /** Records that a phase, or a trial of a search, starts. */
    void phaseStarted(String name, PhaseCalls phaseCalls, long atNanos) {
        if (!phase.equals(name)) {
            faults.phaseStarted(name);
            events.add(listener -> listener.phaseStarted(name, secondsAt(atNanos)));
        }
        phase = name;
        calls = phaseCalls;
        phaseStartNanos = atNanos;
    }

    /** Records that the phase has ended, or was stopped after an offset. Returns the number of calls that were due. */
    long phaseEnded(long offsetNanos) {
        long due = calls.dueBefore(offsetNanos);
        dueBeforePhase += due;
        calls = null;
        return due;
    }

    /** Records that all phases have ended. */
    void phasesEnded() {
        phase = AFTER_PHASES;
    }

    /** Follows the run until the future completes or the timeout ends. Returns whether the future is complete. */
    boolean await(CompletableFuture<?> future, Duration timeout) {
        long end = clock.nanoTime() + timeout.toNanos();
        while (!future.isDone() && end - clock.nanoTime() > 0) {
            try {
                future.get(Math.max(1, Math.min(end, nextSecond()) - clock.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException second) {
                endSeconds();
            } catch (ExecutionException failed) {
                throw new IllegalStateException("cannot send calls", failed.getCause());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                control.stop("interrupted");
                return false;
            }
        }
        endSeconds();
        return future.isDone();
    }

    /** Follows the run until the end of the current second, or until it is stopped. */
    void awaitNextSecond() {
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        control.onStop(() -> stopped.complete(null));
        await(stopped, Duration.ofNanos(Math.max(1, nextSecond() - clock.nanoTime())));
    }

    private long nextSecond() {
        return startNanos + (second + 1) * SECOND;
    }

    private void endSeconds() {
        deliverEvents();
        while (clock.nanoTime() - nextSecond() >= 0) {
            endSecond();
        }
    }

    private void endSecond() {
        long due = dueBeforePhase + (calls == null ? 0 : calls.dueBefore(nextSecond() - phaseStartNanos));
        TimePoint point = series.endSecond(second++, phase, due);
        Progress progress = new Progress(
                point,
                second,
                point.due(),
                recorder.sent(),
                recorder.errors(),
                metrics.latest(MetricSeries.LAG_SECONDS),
                remaining());
        parts.listeners().forEach(listener -> listener.progress(progress));
    }

    /** Returns the time until the end of the last phase; null if a search or a replay makes it unknown. */
    private Duration remaining() {
        Duration later = Duration.ZERO;
        boolean after = false;
        for (var each : experiment.phases()) {
            if (after) {
                later = later.plus(each.plannedDuration());
            }
            after |= each.name().equals(phase);
        }
        if (calls == null) {
            return later;
        }
        long left = calls.durationNanos() - (clock.nanoTime() - phaseStartNanos);
        return later.plusNanos(Math.max(0, left));
    }

    private void deliverEvents() {
        for (Consumer<RunListener> event = events.poll(); event != null; event = events.poll()) {
            parts.listeners().forEach(event);
        }
    }

    TimeSeries series() {
        return series;
    }

    List<MetricSeries> metrics() {
        return metrics.series();
    }

    List<FaultMark> faults() {
        return faults.marks();
    }

    /** Returns the fault that is being undone now; null if none is. Thread-safe. */
    String undoing() {
        return faults.undoing();
    }

    /** Undoes the faults, and reads the metrics for the last time. */
    @Override
    public void close() {
        faults.close();
        metrics.close();
        deliverEvents();
    }
}
