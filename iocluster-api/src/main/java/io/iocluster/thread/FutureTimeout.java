package io.iocluster.thread;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Ends futures after a time, on a timer of the platform, where {@link CompletableFuture#orTimeout} would use a timer of the JDK. Stateless.
 */
public final class FutureTimeout {

    private FutureTimeout() {}

    /** Fails the future with a {@link TimeoutException} after this time, or at once if the timer is shut down. Does nothing if it is done. */
    public static void failAfter(CompletableFuture<?> future, Duration within, ScheduledExecutorService timer) {
        runAfter(future, () -> future.completeExceptionally(new TimeoutException()), within, timer);
    }

    /** Completes the future with this value after this time, or at once if the timer is shut down. Does nothing if it is done. */
    public static <T> void completeAfter(
            CompletableFuture<T> future, T value, Duration within, ScheduledExecutorService timer) {
        runAfter(future, () -> future.complete(value), within, timer);
    }

    private static void runAfter(
            CompletableFuture<?> future, Runnable end, Duration within, ScheduledExecutorService timer) {
        if (future.isDone()) {
            return;
        }
        try {
            Future<?> timeout = timer.schedule(end, within.toNanos(), TimeUnit.NANOSECONDS);
            future.whenComplete((result, failure) -> timeout.cancel(false));
        } catch (RejectedExecutionException shutDown) {
            end.run();
        }
    }
}
