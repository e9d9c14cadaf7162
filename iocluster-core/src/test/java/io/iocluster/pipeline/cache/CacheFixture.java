package io.iocluster.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.cache.CacheResult;
import io.iocluster.cache.CacheSettings;
import io.iocluster.cache.CacheStatus;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.EgressSettings;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.Answer;
import io.iocluster.message.Header;
import io.iocluster.pipeline.ControlledPipeline;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.FakeTransport.PublishedMessage;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.producer.AppQuota;
import io.iocluster.producer.ProducerSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.record.RecordCopy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A pipeline whose destination {@code partner} has a cache, and whose transport, target and clock the test controls. */
abstract class CacheFixture extends ControlledPipeline {

    static final CacheSettings MINUTE = RecordCopy.with(CacheSettings.DEFAULTS, "ttl", Duration.ofMinutes(1));
    static final CacheSettings COALESCED = RecordCopy.with(MINUTE, "coalesce", true);

    void start(CacheSettings cache) {
        start(settings(cache));
    }

    void start(PipelineSettings settings) {
        pipeline = TestPipelines.of(transport, http, clock, settings);
        pipeline.start();
    }

    static PipelineSettings settings(CacheSettings cache) {
        return settings(policy(cache), 4, DataSize.ofMebibytes(16));
    }

    static PipelineSettings settings(DestinationPolicy policy, int maxInFlight, DataSize bytes) {
        WorkerSettings workers = RecordCopy.with(
                WorkerSettings.DEFAULTS,
                "threads",
                1,
                "maxInFlight",
                maxInFlight,
                "maxInFlightBytes",
                bytes,
                "maxWaiting",
                20_000);
        PipelineSettings settings = TestPipelines.settings(
                workers,
                DestinationPolicy.DEFAULTS,
                new DestinationSettings(List.of("partner.example"), "partner", policy));
        return RecordCopy.with(settings, "producers", new ProducerSettings("app", 10, AppQuota.DEFAULTS));
    }

    static DestinationPolicy policy(CacheSettings cache) {
        return RecordCopy.with(
                DestinationPolicy.DEFAULTS,
                "cache",
                cache,
                "maxWaiting",
                20_000,
                "retry",
                RetrySettings.DEFAULTS.withAttempts(1, Duration.ofNanos(1), Duration.ofNanos(1)));
    }

    static PipelineSettings with(PipelineSettings settings, EgressSettings egress) {
        return RecordCopy.with(settings, "egress", egress);
    }

    static String get(String path, String... fields) {
        return "{\"url\":\"http://partner.example" + path + "\"" + String.join("", fields) + "}";
    }

    FakeDelivery offer(String envelope) {
        return offer(envelope, Map.of());
    }

    FakeDelivery offer(String envelope, Map<String, String> headers) {
        FakeDelivery delivery = new FakeDelivery(envelope, clock.wallMillis(), headers);
        assertThat(transport.offer(delivery)).isTrue();
        return delivery;
    }

    /** Returns the next answer, after the broker has confirmed it. */
    Answer answer() throws InterruptedException {
        PublishedMessage published = transport.nextPublished();
        published.confirm();
        return published.answer();
    }

    /** Makes a call that the target answers. */
    Answer call(String envelope, int status, String body, String... headers) throws InterruptedException {
        offer(envelope);
        respond(http.next(), status, body, headers);
        return answer();
    }

    /** Makes a call that must be answered without an attempt. */
    Answer hit(String envelope) throws InterruptedException {
        offer(envelope);
        Answer answer = answer();
        assertThat(http.attempts).isEmpty();
        assertThat(answer.attempts()).isZero();
        assertThat(answer.cache().hit()).isTrue();
        return answer;
    }

    static void respond(FakeAttempt attempt, int status, String body, String... headers) {
        List<Header> all = new ArrayList<>();
        for (int i = 0; i < headers.length; i += 2) {
            all.add(new Header(headers[i], headers[i + 1]));
        }
        attempt.end(new Response(status, all, body.getBytes(StandardCharsets.UTF_8), false, AttemptTiming.NONE));
    }

    CacheStatus cache() {
        return pipeline.caches().stream()
                .filter(each -> each.destination().equals("partner"))
                .findFirst()
                .orElseThrow();
    }

    long count(CacheResult result) {
        return cache().results().get(result);
    }

    void awaitNothingHeld() {
        await().until(() -> pipeline.status().unconfirmed() == 0);
        TestPipelines.awaitNothingHeld(pipeline);
    }
}
