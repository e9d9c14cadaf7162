package io.iocluster.lab.load.fault;

import io.iocluster.lab.load.experiment.Fault;
import io.iocluster.lab.load.fault.FaultInjector.ActiveFault;
import io.iocluster.lab.load.result.FaultMark;
import io.iocluster.thread.DaemonThreadFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and undoes the faults on its own thread, when they are due. {@link #close} undoes those that are active. Thread-safe.
 */
public final class FaultSchedule implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FaultSchedule.class);

    private final List<Fault> faults;
    private final String firstPhase;
    private final FaultInjector injector;
    private final DoubleSupplier seconds;
    private final Consumer<FaultMark> listener;
    private final ScheduledExecutorService thread = DaemonThreadFactory.newScheduler("load-faults");
    private final Map<Fault, ActiveFault> active = new LinkedHashMap<>();
    private final Map<Fault, FaultMark> marks = new LinkedHashMap<>();
    private volatile boolean closed;
    private volatile String undoing;

    /**
     * Creates a schedule that starts nothing before a phase starts.
     *
     * @param seconds the time since the start of the run
     * @param listener receives each mark when a fault is started or undone, on the thread of the faults
     */
    public FaultSchedule(
            List<Fault> faults,
            String firstPhase,
            FaultInjector injector,
            DoubleSupplier seconds,
            Consumer<FaultMark> listener) {
        this.faults = faults;
        this.firstPhase = firstPhase;
        this.injector = injector;
        this.seconds = seconds;
        this.listener = listener;
    }

    /** Schedules the faults of a phase that starts now; none after {@link #close}. Never waits for a fault. */
    public void phaseStarted(String phase) {
        for (Fault fault : faults) {
            if (phase.equals(fault.phase().isEmpty() ? firstPhase : fault.phase())) {
                try {
                    thread.schedule(() -> start(fault), fault.at().toNanos(), TimeUnit.NANOSECONDS);
                } catch (RejectedExecutionException ended) {
                    LOG.debug("Fault not scheduled; the run has ended fault={}", fault.name());
                }
            }
        }
    }

    private synchronized void start(Fault fault) {
        if (closed) {
            return;
        }
        double at = seconds.getAsDouble();
        try {
            active.put(fault, injector.start(fault));
            mark(fault, at, null, null);
            if (!fault.duration().isZero()) {
                thread.schedule(() -> undo(fault), fault.duration().toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (IOException | RuntimeException failed) {
            mark(fault, at, null, "was not started: " + failed.getMessage());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            mark(fault, at, null, "was not started: interrupted");
        }
    }

    /** Undoes the fault. If that fails, it stays active, and {@link #close} tries again. */
    private synchronized void undo(Fault fault) {
        ActiveFault started = active.get(fault);
        if (started == null) {
            return;
        }
        double from = marks.get(fault).fromSeconds();
        undoing = fault.name() + " (" + describe(fault) + ")";
        try {
            started.undo();
            active.remove(fault);
            mark(fault, from, seconds.getAsDouble(), null);
        } catch (IOException | RuntimeException failed) {
            mark(fault, from, null, "was not undone: " + failed.getMessage());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            mark(fault, from, null, "was not undone: interrupted");
        } finally {
            undoing = null;
        }
    }

    /** Returns the fault that is being undone now, for people; null if none is. Never waits. */
    public String undoing() {
        return undoing;
    }

    private void mark(Fault fault, double from, Double to, String problem) {
        FaultMark mark = new FaultMark(fault.name(), describe(fault), from, to, problem);
        marks.put(fault, mark);
        listener.accept(mark);
    }

    /** Returns what the fault does; its action if that is unknown, for example because a URL in it is invalid. */
    private String describe(Fault fault) {
        try {
            return injector.describe(fault);
        } catch (RuntimeException invalid) {
            LOG.debug("Fault cannot be described fault={}", fault.name(), invalid);
            return fault.action().name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Returns the faults that were started or could not be. */
    public synchronized List<FaultMark> marks() {
        return List.copyOf(marks.values());
    }

    /** Starts no more faults, and undoes the active ones, newest first. Waits for a fault that is being started. */
    @Override
    public void close() {
        closed = true;
        // An interrupt of the run must not keep a fault from being undone.
        boolean interrupted = Thread.interrupted();
        synchronized (this) {
            List<Fault> newestFirst = new ArrayList<>(active.keySet());
            for (int i = newestFirst.size() - 1; i >= 0; i--) {
                undo(newestFirst.get(i));
            }
            double now = seconds.getAsDouble();
            faults.stream()
                    .filter(fault -> !marks.containsKey(fault))
                    .forEach(fault -> mark(fault, now, null, "was not started: the run ended before"));
        }
        thread.shutdownNow();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
