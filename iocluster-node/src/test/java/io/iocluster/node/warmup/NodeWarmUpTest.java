package io.iocluster.node.warmup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.testkit.junit.NewThreads;
import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(120)
class NodeWarmUpTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final NewThreads threads = new NewThreads();
    private final Logger ours = (Logger) LoggerFactory.getLogger("io.iocluster");
    private final Level level = ours.getLevel();
    private final CapturedLog log = CapturedLog.of(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final NodeWarmUp warmUp = NodeWarmUp.create(Platform.system());

    @BeforeEach
    void logInfo() {
        ours.setLevel(Level.INFO);
    }

    @AfterEach
    void stopWarmUp() {
        warmUp.stop();
        log.close();
        ours.setLevel(level);
    }

    @Test
    void makesCallsUntilTheirLatencyIsFlatAndLogsOneLine() {
        warmUp.run(LONG, 1);

        assertThat(logged())
                .singleElement()
                .asString()
                .matches("INFO Warm-up finished took=\\d+m?s calls=\\d{4,} firstP50=[\\d.]+ms firstP99=[\\d.]+ms"
                        + " p50=[\\d.]+ms p99=[\\d.]+ms");
        assertThat(warmUp.isRunning()).isFalse();
        await().untilAsserted(() -> assertThat(threads.named("iocluster-")).isEmpty());
    }

    @Test
    void endsWhenTheTimeIsOver() {
        long start = System.nanoTime();

        warmUp.run(Duration.ofMillis(300), 1);

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONG);
        assertThat(logged()).hasSize(1);
    }

    @Test
    void endsAtOnceWithoutALogLineIfItIsStopped() {
        CompletableFuture<Void> run = CompletableFuture.runAsync(() -> warmUp.run(Duration.ofHours(1), 1));
        await().until(() -> !threads.named("iocluster-worker").isEmpty());
        assertThat(warmUp.isRunning()).isTrue();

        warmUp.stop();
        warmUp.awaitEnd();

        assertThat(run).succeedsWithin(LONG);
        assertThat(logged()).isEmpty();
        await().untilAsserted(() -> assertThat(threads.named("iocluster-")).isEmpty());
    }

    @Test
    void endsIfItsThreadIsInterrupted() throws InterruptedException {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            warmUp.run(Duration.ofHours(1), 1);
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        thread.start();
        await().until(warmUp::isRunning);

        thread.interrupt();

        assertThat(interrupted).succeedsWithin(LONG).isEqualTo(true);
        await().untilAsserted(() -> assertThat(threads.named("iocluster-")).isEmpty());
    }

    @Test
    void doesNothingIfTheTimeIsZeroOrItWasStoppedBefore() {
        warmUp.run(Duration.ZERO, 1);
        warmUp.stop();
        warmUp.run(Duration.ofHours(1), 1);

        assertThat(logged()).isEmpty();
    }

    @Test
    void onlyWarnsIfTheTargetCannotBeStarted() {
        NodeWarmUp failing = new NodeWarmUp(
                () -> {
                    throw new IllegalStateException("no loopback address");
                },
                Platform.system());

        failing.run(LONG, 1);

        assertThat(logged()).containsExactly("WARN Warm-up failed; the node starts cold");
        assertThat(failing.isRunning()).isFalse();
    }

    @Test
    void onlyWarnsIfTheTargetAnswersNoCall() {
        NodeWarmUp failing = new NodeWarmUp(
                () -> {
                    WarmUpTarget closed = new WarmUpTarget();
                    closed.close();
                    return closed;
                },
                Platform.system());

        failing.run(Duration.ofSeconds(5), 1);

        assertThat(logged())
                .containsExactly(
                        "WARN Warm-up failed because the loopback target answered no call; the node starts cold");
        await().untilAsserted(() -> assertThat(threads.named("iocluster-")).isEmpty());
    }

    private List<String> logged() {
        return log.events().stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.INFO))
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }
}
