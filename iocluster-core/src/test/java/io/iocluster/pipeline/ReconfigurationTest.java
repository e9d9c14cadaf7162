package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.credential.CredentialSettings;
import io.iocluster.credential.TestCredentials;
import io.iocluster.egress.EgressSettings;
import io.iocluster.http.HttpSettings;
import io.iocluster.message.Answer;
import io.iocluster.message.Header;
import io.iocluster.message.Outcome;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Tracing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests new settings for a running pipeline: each call sees the old or the new ones, and none is lost, retried or cancelled. */
class ReconfigurationTest extends ControlledPipeline {

    private static final String NEVER = "{\"url\":\"http://partner.example/\",\"reply\":\"never\"}";
    private static final String ELEVEN = "{\"url\":\"http://partner.example/\",\"body\":\"12345678901\"}";
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(20);

    @BeforeEach
    void start() {
        pipeline = new Pipeline(
                settings(1, 2, EgressSettings.DEFAULTS, ""),
                transport,
                PipelineEvents.NONE,
                Tracing.OFF,
                TestPipelines.parts(http),
                Platform.system());
        pipeline.start();
    }

    @Test
    void sendsTheSourceANewPrefetchHint() {
        resize(1, 7);

        assertThat(transport.prefetchHints).containsExactly(List.of(2, 1_000), List.of(7, 1_000));
    }

    @Test
    void validatesNewMessagesWithTheNewPolicy() throws Exception {
        offer(NEVER);
        http.next().respond(200);

        pipeline.reconfigure(settings(1, 2, denying("partner.example"), ""));
        offer("{\"url\":\"http://partner.example/\"}");

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.outcome()).isEqualTo(Outcome.REJECTED);
        assertThat(answer.error().code()).isEqualTo("host-not-allowed");
        assertThat(http.attempts).isEmpty();
    }

    @Test
    void validatesARefusedMessageAgainWithTheNewSettings() throws Exception {
        pipeline.reconfigure(narrow(1, EgressSettings.DEFAULTS));
        offer(NEVER);
        FakeAttempt first = http.next();
        FakeDelivery kept = new FakeDelivery("{\"url\":\"http://partner.example/\"}");
        assertThat(transport.offer(kept)).isFalse();

        pipeline.reconfigure(narrow(1, denying("partner.example")));
        first.respond(200);
        await().until(() -> transport.offer(kept));

        assertThat(transport.nextPublished().answer().error().code()).isEqualTo("host-not-allowed");
    }

    @Test
    void replacesEachWorkerWhenConnectionSettingsChange() throws Exception {
        FakeDelivery early = offer(NEVER);
        FakeAttempt before = http.next();

        pipeline.reconfigure(
                settings(2, 2, TestPipelines.http(10, Duration.ofSeconds(5)), EgressSettings.DEFAULTS, ""));
        offer(NEVER);
        FakeAttempt after = http.next();

        assertThat(after.loop()).isNotSameAs(before.loop());
        assertThat(before.loop().isShuttingDown()).isFalse();
        assertThat(pipeline.status().workers()).hasSize(2);
        before.respond(200);
        assertThat(early.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
        await().until(() -> before.loop().isShuttingDown());
        assertThat(after.loop().isShuttingDown()).isFalse();
        after.respond(200);
    }

    @Test
    void keepsItsWorkersWhenOnlyCallLimitsChange() throws Exception {
        offer(ELEVEN);
        assertThat(transport.nextPublished().answer().error().code()).isEqualTo("request-too-large");

        pipeline.reconfigure(settings(1, 2, TestPipelines.http(11, KEEP_ALIVE), EgressSettings.DEFAULTS, ""));
        offer(ELEVEN);

        http.next().respond(200);
        assertThat(transport.nextPublished().answer().status()).isEqualTo(200);
        assertThat(http.loops).hasSize(1);
    }

    @Test
    void changesNothingWhenFurtherWorkersCannotBeStarted() throws Exception {
        PipelineSettings other =
                settings(1, 2, TestPipelines.http(11, Duration.ofSeconds(5)), denying("*.example"), "");
        http.full = true;
        assertThatThrownBy(() -> pipeline.reconfigure(other)).hasMessage("no room");
        assertThatThrownBy(() -> resize(3, 5)).hasMessage("no room");
        assertThat(pipeline.status().maxInFlight()).isEqualTo(2);
        assertThat(pipeline.status().workers()).hasSize(1);
        offer(NEVER);
        http.next().respond(200);

        http.full = false;
        pipeline.reconfigure(other);
        offer("{\"url\":\"http://partner.example/\"}");

        assertThat(transport.nextPublished().answer().error().code()).isEqualTo("host-not-allowed");
    }

    @Test
    void noCallSeesAMixOfOldAndNewSettings() throws Exception {
        ConcurrentLinkedQueue<String> refused = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<List<Header>> shown = new ConcurrentLinkedQueue<>();
        consume(http.attempts, attempt -> {
            shown.add(attempt.request().headers());
            attempt.respond(200);
        });
        consume(transport.published, published -> {
            if (published.answer().error() != null) {
                refused.add(published.answer().error().code());
            }
            published.confirm();
        });
        List<FakeDelivery> offered = new ArrayList<>();
        pipeline.reconfigure(settings(2, 50, EgressSettings.DEFAULTS, "a"));
        var flipping = Executors.newSingleThreadExecutor();
        var flips = flipping.submit(() -> {
            for (int i = 0; i < 200; i++) {
                pipeline.reconfigure(settings(2, 50, EgressSettings.DEFAULTS, i % 2 == 0 ? "b" : "a"));
            }
        });

        while (!flips.isDone()) {
            FakeDelivery delivery = new FakeDelivery("{\"url\":\"http://partner.example/\"}");
            while (!transport.offer(delivery)) {
                LockSupport.parkNanos(10_000);
            }
            offered.add(delivery);
        }
        flips.get();
        flipping.shutdown();
        for (FakeDelivery delivery : offered) {
            assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
        }

        assertThat(refused).isEmpty();
        assertThat(shown).hasSize(offered.size());
        assertThat(shown.stream().distinct())
                .containsExactlyInAnyOrder(List.of(new Header("X-Key", "a")), List.of(new Header("X-Key", "b")));
    }

    private static <T> void consume(BlockingQueue<T> queue, Consumer<T> consumer) {
        DaemonThreadFactory.newThread("consumer", () -> {
                    try {
                        while (true) {
                            consumer.accept(queue.take());
                        }
                    } catch (InterruptedException stopped) {
                        Thread.currentThread().interrupt();
                    }
                })
                .start();
    }

    private void resize(int threads, int maxInFlight) {
        pipeline.reconfigure(settings(threads, maxInFlight, EgressSettings.DEFAULTS, ""));
    }

    private FakeDelivery offer(String envelope) {
        FakeDelivery delivery = new FakeDelivery(envelope);
        assertThat(transport.offer(delivery)).isTrue();
        return delivery;
    }

    private static PipelineSettings settings(int threads, int maxInFlight, EgressSettings egress, String credential) {
        return settings(threads, maxInFlight, TestPipelines.http(10, KEEP_ALIVE), egress, credential);
    }

    /** Returns settings whose credential, if there is one, applies to every call. */
    private static PipelineSettings settings(
            int threads, int maxInFlight, HttpSettings http, EgressSettings egress, String credential) {
        return RecordCopy.with(
                TestPipelines.settings(
                        WorkerSettings.DEFAULTS.withSize(threads, maxInFlight), TestPipelines.policy(0, credential)),
                "http",
                http,
                "egress",
                egress,
                "credentials",
                credential.isEmpty() ? Map.of() : Map.of(credential, sending(credential)));
    }

    /** Returns settings with this many slots and no waiting calls. */
    private static PipelineSettings narrow(int maxInFlight, EgressSettings egress) {
        WorkerSettings workers = new WorkerSettings(
                1, 10, 10, 0, DataSize.ofMebibytes(1), 10, 75, 4, Duration.ofSeconds(10), Duration.ofMinutes(1));
        return RecordCopy.with(
                TestPipelines.settings(workers, TestPipelines.policy(maxInFlight, "")),
                "http",
                TestPipelines.http(10, KEEP_ALIVE),
                "egress",
                egress);
    }

    private static CredentialSettings sending(String key) {
        return TestCredentials.of(
                "partner.example", "hosts", List.of("*.example", "partner.example"), "headers", Map.of("X-Key", key));
    }

    private static EgressSettings denying(String host) {
        return RecordCopy.with(
                EgressSettings.DEFAULTS,
                "allowNetworks",
                List.of(),
                "denyNetworks",
                List.of(),
                "denyHosts",
                List.of(host),
                "allowHosts",
                List.of());
    }
}
