package io.iocluster.node.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.config.ConsulSettings;
import io.iocluster.node.config.binding.Overlay;
import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KeyWatchTest {

    private static final String KEY = "a b/ü";

    private final FakeConsulAgent agent = new FakeConsulAgent();
    private final List<String> reported = new CopyOnWriteArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private KeyWatch watch;

    @AfterEach
    void close() {
        watch.close();
        agent.close();
    }

    private void start(String more) {
        ConsulSettings settings = BlockingQueryTest.settings(
                agent, "base-delay: 1ms, max-delay: 5ms" + (more.isEmpty() ? "" : ", " + more));
        watch = KeyWatch.start(new ConsulAgent(settings, settings::token), settings, this::report, Platform.system());
    }

    private void report(Optional<Overlay> overlay) {
        reported.add(overlay.map(Overlay::yaml).orElse("nothing"));
        Throwable thrown = failure.getAndSet(null);
        if (thrown instanceof Error error) {
            throw error;
        } else if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
    }

    @Test
    void reportsEachChangedValueOnce() {
        start("min-interval: 1ms");
        await().until(() -> reported.equals(List.of("nothing")));

        agent.keys().put(KEY, "one");
        await().until(() -> reported.equals(List.of("nothing", "one")));
        agent.keys().put(KEY, "one");
        agent.keys().put("another", "x");
        await().until(() -> agent.queries().size() == 4);
        agent.keys().delete(KEY);
        await().until(() -> reported.equals(List.of("nothing", "one", "nothing")));
    }

    static Stream<Throwable> failures() {
        return Stream.of(new NoClassDefFoundError("gone"), new IllegalStateException("a defect"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void continuesWhenItsListenerFails(Throwable thrown) {
        failure.set(thrown);
        start("min-interval: 1ms");
        await().until(() -> reported.contains("nothing"));

        agent.keys().put(KEY, "one");

        await().until(() -> reported.contains("one"));
    }

    @Test
    void pausesBetweenQueriesWhenEveryAnswerComesAtOnce() {
        agent.claimIndex("5");
        start("min-interval: 200ms");
        // The agent answers at once, because the index of the key differs from the claimed one.
        long start = System.nanoTime();
        await().until(() -> agent.queries().size() == 4);

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(500));
    }

    @Test
    void reconnectsAndReportsOnlyAChangedValue() {
        agent.keys().put(KEY, "one");
        start("min-interval: 1ms");
        await().until(() -> reported.equals(List.of("one")));

        agent.fail(500);
        agent.keys().wake();
        await().until(() -> !watch.status().connected());
        assertThat(watch.status().problem()).isEqualTo("status 500, No cluster leader");
        agent.fail(0);
        await().until(() -> watch.status().connected());
        agent.keys().put(KEY, "two");

        await().until(() -> reported.equals(List.of("one", "two")));
        assertThat(watch.status().problem()).isNull();
    }
}
