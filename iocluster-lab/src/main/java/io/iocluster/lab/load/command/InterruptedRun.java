package io.iocluster.lab.load.command;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops a run when a signal ends the process, and lets it undo its faults and write its reports first. Thread-safe. */
final class InterruptedRun implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(InterruptedRun.class);
    private static final long END_SECONDS = 60;

    private final Consumer<String> stopRun;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "load-interrupt");

    private InterruptedRun(Consumer<String> stopRun) {
        this.stopRun = stopRun;
    }

    /**
     * Stops the run on a signal. The caller calls {@link #close} when the reports are written.
     *
     * @param stopRun takes the reason
     */
    static InterruptedRun stopOnSignal(Consumer<String> stopRun) {
        InterruptedRun interrupted = new InterruptedRun(stopRun);
        Runtime.getRuntime().addShutdownHook(interrupted.hook);
        return interrupted;
    }

    private void stop() {
        stopRun.accept("interrupted");
        try {
            if (!ended.await(END_SECONDS, TimeUnit.SECONDS)) {
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
