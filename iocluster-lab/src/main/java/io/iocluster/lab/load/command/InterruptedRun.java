package io.iocluster.lab.load.command;

import io.iocluster.lab.load.experiment.Experiment;
import io.iocluster.lab.load.experiment.Fault;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops a run when a signal ends the process, and lets it undo its faults and write its reports first. Thread-safe. */
final class InterruptedRun implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(InterruptedRun.class);

    /** Longer than agents may take to return their results. */
    private static final Duration END = Duration.ofSeconds(90);

    private final Consumer<String> stopRun;
    private final Duration patience;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "load-interrupt");

    private InterruptedRun(Consumer<String> stopRun, Duration patience) {
        this.stopRun = stopRun;
        this.patience = patience;
    }

    /**
     * Stops the run on a signal. The caller calls {@link #close} when the reports are written.
     *
     * @param stopRun takes the reason
     */
    static InterruptedRun stopOnSignal(Experiment experiment, Consumer<String> stopRun) {
        InterruptedRun interrupted = new InterruptedRun(stopRun, patience(experiment));
        Runtime.getRuntime().addShutdownHook(interrupted.hook);
        return interrupted;
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

    private void stop() {
        stopRun.accept("interrupted");
        try {
            if (!ended.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("Run did not end in time; faults may still be active and reports may be missing");
            }
        } catch (InterruptedException killed) {
            Thread.currentThread().interrupt();
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
    }
}
