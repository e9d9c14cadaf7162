package io.iocluster.lab.load.command;

import io.iocluster.lab.load.experiment.Experiment;
import io.iocluster.lab.load.experiment.Fault;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Stops a run when a signal ends the process, and lets it undo its faults and write its reports first. The first Ctrl-C ends the process,
 * which takes as long as the undo of the faults. The second one prints what the process is doing, because a JVM that is ending ignores it
 * otherwise. The third one ends the process at once. Thread-safe.
 */
final class RunInterruption implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RunInterruption.class);
    private static final String NAME = "INT";

    /** 128 and the number of the signal, as for each program that this signal ends. */
    private static final int EXIT_CODE = 130;

    /** Longer than agents may take to return their results. */
    private static final Duration END = Duration.ofSeconds(90);

    private final Supplier<String> undoing;
    private final Consumer<String> print;
    private final Runnable exit;
    private final Runnable halt;
    private final AtomicInteger received = new AtomicInteger();
    private final CountDownLatch ended = new CountDownLatch(1);
    private Thread hook;
    private SignalHandler previous;

    /**
     * Creates an interruption that handles no signal.
     *
     * @param undoing the fault that is being undone now; null if none is
     * @param exit ends the process with its shutdown hooks
     * @param halt ends it without them
     */
    RunInterruption(Supplier<String> undoing, Consumer<String> print, Runnable exit, Runnable halt) {
        this.undoing = undoing;
        this.print = print;
        this.exit = exit;
        this.halt = halt;
    }

    /**
     * Handles signals until {@link #close}, which the caller calls when the reports are written. A process that was started with Ctrl-C
     * ignored still ignores it.
     *
     * @param stopRun takes the reason
     */
    static RunInterruption handle(
            Experiment experiment, Consumer<String> stopRun, Supplier<String> undoing, Consumer<String> print) {
        RunInterruption interruption = new RunInterruption(
                undoing,
                print,
                () -> System.exit(EXIT_CODE),
                () -> Runtime.getRuntime().halt(EXIT_CODE));
        interruption.install(stopRun, patience(experiment));
        return interruption;
    }

    private void install(Consumer<String> stopRun, Duration patience) {
        hook = new Thread(() -> stop(stopRun, patience), "load-interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            previous = Signal.handle(new Signal(NAME), any -> received());
        } catch (IllegalArgumentException taken) {
            // The JVM does not handle it, for example because of -Xrs.
            LOG.debug("Signal cannot be handled signal={}", NAME, taken);
        }
    }

    /** Returns how long the end of a run may take: one program may be starting a fault, and each fault may need one to undo it. */
    static Duration patience(Experiment experiment) {
        Duration undo = Duration.ZERO;
        Duration start = Duration.ZERO;
        for (Fault fault : experiment.faults()) {
            if (fault.action() == Fault.Action.COMMAND) {
                undo = undo.plus(fault.timeout());
                start = fault.timeout().compareTo(start) > 0 ? fault.timeout() : start;
            }
        }
        return END.plus(start).plus(undo);
    }

    private void stop(Consumer<String> stopRun, Duration patience) {
        stopRun.accept("interrupted");
        try {
            if (!ended.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("Run did not end in time; faults may still be active and reports may be missing");
            }
        } catch (InterruptedException killed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Handles one signal. The JVM calls it on a new thread for each. */
    void received() {
        switch (received.incrementAndGet()) {
            case 1 -> exit.run();
            case 2 -> {
                String fault = undoing.get();
                print.accept(
                        "Still " + (fault == null ? "ending the run" : "undoing the fault " + fault)
                                + ". Wait, or press Ctrl-C again to end at once: then faults may stay active and reports may be missing.");
            }
            default -> halt.run();
        }
    }

    @Override
    public void close() {
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            LOG.debug("Shutdown already in progress", ending);
        }
        if (previous != null) {
            Signal.handle(new Signal(NAME), previous);
        }
    }
}
