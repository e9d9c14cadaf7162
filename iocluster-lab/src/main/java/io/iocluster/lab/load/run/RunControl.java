package io.iocluster.lab.load.run;

import java.util.concurrent.atomic.AtomicReference;

/** Whether a run ends early, and why. Thread-safe. */
final class RunControl {

    private final AtomicReference<String> reason = new AtomicReference<>();
    private final AtomicReference<Runnable> onStop = new AtomicReference<>(() -> {});

    /** Ends the run early. Only the first reason counts. */
    void stop(String why) {
        reason.compareAndSet(null, why);
        onStop.get().run();
    }

    /** Sets what ends the current wait; runs it at once if the run is already stopped. */
    void onStop(Runnable action) {
        onStop.set(action);
        if (isStopped()) {
            action.run();
        }
    }

    boolean isStopped() {
        return reason.get() != null;
    }

    /** Returns why the run ends early; null if it does not. */
    String reason() {
        return reason.get();
    }
}
