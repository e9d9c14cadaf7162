package io.iocluster.testkit.process;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Waits for a fixed time, such as the duration of a fault. Tests await conditions with Awaitility instead. */
public final class FixedWait {

    private FixedWait() {}

    public static void millis(int millis) {
        CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS))
                .join();
    }
}
