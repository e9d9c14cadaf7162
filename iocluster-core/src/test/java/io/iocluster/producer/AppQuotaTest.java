package io.iocluster.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.QueueFullPolicy;
import io.iocluster.hedge.HedgeDelay;
import io.iocluster.hedge.HedgeSettings;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.Answer;
import io.iocluster.message.Header;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.ControlledPipeline;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.FakeTransport.DelayedMessage;
import io.iocluster.pipeline.FakeTransport.PublishedMessage;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.Rate;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the quota of an app in a pipeline: {@code flood} has one, the others have none. */
class AppQuotaTest extends ControlledPipeline {

    private static final WorkerSettings WORKERS =
            RecordCopy.with(WorkerSettings.DEFAULTS.withSize(1, 20), "maxWaiting", 100);

    @Test
    void anAppOverItsQuotaDoesNotDelayAnother() throws Exception {
        start(new AppQuota(1, Rate.UNLIMITED, 2));
        offer("flood");
        http.next();
        offer("flood");
        offer("flood");

        FakeDelivery refused = offer("flood");
        offer("other-app");

        PublishedMessage published = transport.nextPublished();
        Answer answer = published.answer();
        assertThat(answer.error().code()).isEqualTo("app-over-quota");
        assertThat(answer.error().sent()).isEqualTo(SentStatus.NO);
        assertThat(answer.attempts()).isZero();
        published.confirm();
        assertThat(refused.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
        http.next().respond(200);
        assertThat(transport.nextPublished().answer().status()).isEqualTo(200);
        assertThat(flood().overQuota()).isEqualTo(1);
        assertThat(flood().failed()).isEqualTo(1);
        assertThat(status("other-app").answered()).isEqualTo(1);
    }

    @Test
    void anAppMayQueueAtMostHalfOfTheFreeRoom() throws Exception {
        start(new AppQuota(1, Rate.UNLIMITED, 1_000));
        offer("flood");
        http.next();

        for (int i = 0; i < WORKERS.maxWaiting(); i++) {
            offer("flood");
        }

        assertThat(flood().waiting()).isEqualTo(WORKERS.maxWaiting() / 2);
        assertThat(transport.nextPublished().answer().error().code()).isEqualTo("app-over-quota");
    }

    @Test
    void aCallThatDoesNotFitWaitsInTheBrokerWhenItsDestinationDelays() throws Exception {
        transport.delays = List.of(Duration.ofSeconds(1));
        PipelineSettings settings = settings(new AppQuota(1, Rate.UNLIMITED, 0));
        pipeline = TestPipelines.of(
                transport,
                http,
                clock,
                RecordCopy.with(
                        settings,
                        "destinationDefaults",
                        RecordCopy.with(settings.destinationDefaults(), "whenFull", QueueFullPolicy.DELAY)));
        pipeline.start();
        offer("flood");
        http.next();

        FakeDelivery over = offer("flood");

        DelayedMessage delayed = transport.nextDelayed();
        assertThat(delayed.delay()).isEqualTo(Duration.ofSeconds(1));
        delayed.confirm();
        assertThat(over.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
        assertThat(flood().inFlight()).isEqualTo(1);
        assertThat(flood().overQuota()).isZero();
    }

    @Test
    void aCallOverTheRateWaitsUntilItsDeadline() throws Exception {
        start(new AppQuota(0, new Rate(1, Duration.ofHours(1)), 10));
        offer("flood");
        http.next();

        offer("flood");
        clock.advance(Duration.ofMinutes(10));

        assertThat(transport.nextPublished().answer().error().code()).isEqualTo("deadline-exceeded");
        assertThat(flood().waiting()).isZero();
    }

    @Test
    void waitingCallsStartWhenTheQuotaIsRaised() throws Exception {
        start(new AppQuota(1, Rate.UNLIMITED, 10));
        offer("flood");
        http.next();
        offer("flood");
        offer("flood");

        pipeline.reconfigure(settings(new AppQuota(2, Rate.UNLIMITED, 10)));
        http.next();

        await().untilAsserted(() -> assertThat(flood().inFlight()).isEqualTo(2));
        assertThat(flood().waiting()).isEqualTo(1);
    }

    @Test
    void aMessageIsRefusedAsAWholeWhenTooManyCallsOfItsAppWait() throws Exception {
        start(new AppQuota(1, Rate.UNLIMITED, 0));
        offer("flood");
        http.next();

        transport.offer(delivery("flood", "{\"any\":[{\"url\":\"http://a.example/\"}],\"id\":\"1\"}"));

        assertThat(transport.nextPublished().answer().results())
                .extracting(result -> result.error().code())
                .containsExactly("app-over-quota");
    }

    @Test
    void theSecondAttemptOfASlowCallNeedsNoQuota() throws Exception {
        HedgeSettings hedge = new HedgeSettings(HedgeDelay.parse("200ms"), 5, Duration.ofMillis(5));
        start(
                new AppQuota(1, Rate.UNLIMITED, 10),
                RecordCopy.with(TestPipelines.policy(0, 0, RetrySettings.DEFAULTS), "hedge", hedge));
        offer("flood");
        FakeAttempt first = http.next();
        offer("flood");

        clock.advance(Duration.ofMillis(202));
        FakeAttempt second = http.next();

        assertThat(flood().inFlight()).isEqualTo(1);
        assertThat(flood().waiting()).isEqualTo(1);
        second.respond(200);
        http.next();
        assertThat(first.result()).isCancelled();
        assertThat(flood().answered()).isEqualTo(1);
    }

    /** Found by seed 294 of the simulation. */
    @Test
    void aDelayedRetryThatComesEarlyWaitsForTheQuota() throws Exception {
        transport.delays = List.of(Duration.ofSeconds(30));
        start(new AppQuota(1, Rate.UNLIMITED, 10));
        offer("flood", "{\"url\":\"http://a.example/\",\"deadlineMs\":200000}");
        Header retryAfter = new Header("retry-after", "35");
        http.next().end(new Response(503, List.of(retryAfter), new byte[0], false, AttemptTiming.NONE));
        DelayedMessage delayed = transport.nextDelayed();
        delayed.confirm();
        FakeDelivery redelivered = delayed.redeliver(clock.wallMillis());
        clock.advance(Duration.ofSeconds(30));
        offer("flood", "{\"url\":\"http://b.example/\"}");
        FakeAttempt other = http.next();

        transport.offer(redelivered);
        assertThat(flood().inFlight()).isEqualTo(1);
        assertThat(flood().waiting()).isEqualTo(1);
        // The pause of 35 s, and its jitter.
        clock.advance(Duration.ofSeconds(15));
        assertThat(http.attempts).isEmpty();
        assertThat(flood().waiting()).isEqualTo(1);
        other.respond(200);
        http.next();
    }

    private void start(AppQuota quota) {
        start(quota, TestPipelines.policy(0, 0, RetrySettings.DEFAULTS));
    }

    private void start(AppQuota quota, DestinationPolicy others) {
        pipeline = TestPipelines.of(transport, http, clock, settings(quota, others));
        pipeline.start();
    }

    private static PipelineSettings settings(AppQuota quota) {
        return settings(quota, TestPipelines.policy(0, 0, RetrySettings.DEFAULTS));
    }

    private static PipelineSettings settings(AppQuota quota, DestinationPolicy others) {
        return RecordCopy.with(
                TestPipelines.settings(WORKERS, others), "apps", List.of(new AppSettings("flood", quota)));
    }

    private FakeDelivery offer(String app) {
        return offer(app, "{\"url\":\"http://a.example/\"}");
    }

    private FakeDelivery offer(String app, String envelope) {
        FakeDelivery delivery = delivery(app, envelope);
        assertThat(transport.offer(delivery)).isTrue();
        return delivery;
    }

    private FakeDelivery delivery(String app, String envelope) {
        return new FakeDelivery(envelope, clock.wallMillis(), Map.of("app", app));
    }

    private AppStatus flood() {
        return status("flood");
    }

    private AppStatus status(String name) {
        return pipeline.apps().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
