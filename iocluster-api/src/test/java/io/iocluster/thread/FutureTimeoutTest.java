package io.iocluster.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FutureTimeoutTest {

    private final ScheduledThreadPoolExecutor timer =
            (ScheduledThreadPoolExecutor) Platform.system().newScheduler("timeouts");
    private final CompletableFuture<String> future = new CompletableFuture<>();

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    @Test
    void failsAFutureThatIsNotDoneInTime() {
        FutureTimeout.failAfter(future, Duration.ofMillis(1), timer);

        assertThatThrownBy(() -> future.get(1, TimeUnit.MINUTES)).hasCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void completesAFutureThatIsNotDoneInTime() throws Exception {
        FutureTimeout.completeAfter(future, "late", Duration.ofMillis(1), timer);

        assertThat(future.get(1, TimeUnit.MINUTES)).isEqualTo("late");
    }

    @Test
    void forgetsAFutureThatIsDone() {
        FutureTimeout.failAfter(future, Duration.ofDays(1), timer);
        future.complete("in time");

        assertThat(timer.getQueue()).isEmpty();
    }

    @Test
    void endsAFutureAtOnceIfItsTimerIsShutDown() {
        timer.shutdown();
        FutureTimeout.failAfter(future, Duration.ofDays(1), timer);

        assertThat(future).isCompletedExceptionally();
    }

    @Test
    void endsTheFuturesOfATimerThatWasShutDownMeanwhile() {
        FutureTimeout.failAfter(future, Duration.ofMillis(50), timer);
        timer.shutdown();

        assertThatThrownBy(() -> future.get(1, TimeUnit.MINUTES)).hasCauseInstanceOf(TimeoutException.class);
    }
}
