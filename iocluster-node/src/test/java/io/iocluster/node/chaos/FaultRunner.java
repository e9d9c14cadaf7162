package io.iocluster.node.chaos;

import io.iocluster.testkit.chaos.ChaosPlan;
import io.iocluster.testkit.chaos.ChaosPlan.ScheduledFault;
import io.iocluster.testkit.chaos.FaultInjector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Runs the faults of a plan at their times. Owned by one run. */
final class FaultRunner implements AutoCloseable {

    private static final long LONG_MINUTES = 5;

    private final FaultInjector actions;
    private final List<String> notes = new ArrayList<>();
    private final ScheduledExecutorService timer;

    /** Starts no fault yet. */
    FaultRunner(ChaosPlan plan, FaultInjector actions) {
        this.actions = actions;
        this.timer = Executors.newScheduledThreadPool(
                Math.max(1, plan.scheduledFaults().size()));
    }

    /** Schedules the faults of the plan, counted from now. */
    void start(ChaosPlan plan) {
        plan.scheduledFaults()
                .forEach(step -> timer.schedule(() -> run(step), step.startMillis(), TimeUnit.MILLISECONDS));
        timer.shutdown();
    }

    /** Waits until each fault is over. Returns what went wrong with faults themselves. */
    List<String> await() throws InterruptedException {
        if (!timer.awaitTermination(LONG_MINUTES, TimeUnit.MINUTES)) {
            note("faults did not end within " + LONG_MINUTES + " minutes");
        }
        synchronized (notes) {
            return List.copyOf(notes);
        }
    }

    private void run(ScheduledFault step) {
        try {
            step.fault().inject(actions);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | AssertionError problem) {
            note(step.fault() + " could not happen: " + problem);
        }
    }

    private void note(String text) {
        synchronized (notes) {
            notes.add(text);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
