package io.iocluster.node.chaos;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Waits for the durations of a plan. */
final class PlanTimer {

    private PlanTimer() {}

    static void millis(int millis) {
        CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS))
                .join();
    }
}
