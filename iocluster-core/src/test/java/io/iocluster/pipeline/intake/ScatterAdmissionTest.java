package io.iocluster.pipeline.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.Answer;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.ControlledPipeline;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.FakeTransport.PublishedMessage;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.memory.FakeDelivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests when envelopes with several calls start. All of them may keep 256 KiB of results, and each one 128 KiB. */
class ScatterAdmissionTest extends ControlledPipeline {

    private static final DataSize BYTES = DataSize.ofMebibytes(1);
    private static final int LARGE = 50 * 1024;
    private static final DestinationPolicy ONCE = TestPipelines.policy(
            0, 100, RetrySettings.DEFAULTS.withAttempts(1, Duration.ofMillis(1), Duration.ofMillis(1)));

    @BeforeEach
    void start() throws Exception {
        pipeline = TestPipelines.of(
                transport,
                http,
                clock,
                new WorkerSettings(1, 100, 100, 200, BYTES, 10, 75, 4, Duration.ofSeconds(60), Duration.ofMinutes(1)),
                ONCE);
        pipeline.start();
        learn("large", LARGE);
    }

    @Test
    void waitsUntilThereIsRoomForTheResults() throws Exception {
        for (int i = 0; i < 8; i++) {
            offer(all("large"));
        }
        for (int i = 0; i < 8; i += 2) {
            List<FakeAttempt> started = attempts(4);
            assertAnotherCallIsAnswered();
            assertThat(pipeline.status().inFlight()).isEqualTo(4);
            started.forEach(each -> respond(each, LARGE));
            for (int answer = 0; answer < 2; answer++) {
                PublishedMessage published = transport.nextPublished();
                assertThat(published.answer().outcome()).isEqualTo(Outcome.ANSWERED);
                published.confirm();
            }
        }
        TestPipelines.awaitNothingHeld(pipeline);
    }

    @Test
    void aMessageThatWaitsDelaysNoMessagesToAnotherDestination() throws Exception {
        learn("small", 100);
        for (int i = 0; i < 3; i++) {
            offer(all("large"));
        }
        List<FakeAttempt> large = attempts(4);

        offer(all("small"));
        attempts(2).forEach(each -> respond(each, 100));
        transport.nextPublished().confirm();

        large.forEach(each -> respond(each, LARGE));
        transport.nextPublished().confirm();
        transport.nextPublished().confirm();
        attempts(2).forEach(each -> respond(each, LARGE));
        transport.nextPublished().confirm();
        TestPipelines.awaitNothingHeld(pipeline);
    }

    @Test
    void theFirstMessageOfADestinationGoesBeforeFurtherOnesOfOthers() throws Exception {
        learn("new", LARGE);
        offer(all("large"));
        offer(all("large"));
        offer(all("large"));
        List<FakeAttempt> first = attempts(4);
        // It needs 128 KiB, and the first two have 200 KiB.
        offer("{\"id\": \"new\", \"all\": [" + calls("new", 4) + "]}");
        assertThat(http.attempts).isEmpty();

        first.subList(0, 2).forEach(each -> respond(each, LARGE));
        transport.nextPublished().confirm();

        assertThat(attempts(4)).allMatch(each -> each.request().url().host().equals("new.example"));
    }

    @Test
    void expiresWhileItWaits() throws Exception {
        for (int i = 0; i < 3; i++) {
            offer(all("large"));
        }
        List<FakeAttempt> first = attempts(4);

        clock.advance(Duration.ofMinutes(10));

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.error().code()).isEqualTo("incomplete-results");
        assertThat(answer.error().sent()).isEqualTo(SentStatus.NO);
        assertThat(answer.results()).allMatch(each -> each.error().code().equals("deadline-exceeded"));
        assertThat(first).hasSize(4);
    }

    @Test
    void isRefusedOrLeftInTheBrokerIfTooManyWait() throws Exception {
        int accepted = 0;
        while (accepted < 200 && transport.offer(delivery(all("large")))) {
            accepted++;
        }

        assertThat(accepted).isBetween(35, 45);
        assertThat(transport.published).isEmpty();
    }

    @Test
    void isReleasedIfTheNodeStopsWhileItWaits() throws Exception {
        List<FakeDelivery> offered = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            offered.add(offer(all("large")));
        }

        pipeline.close();

        for (FakeDelivery each : offered) {
            assertThat(each.settled.get(1, TimeUnit.MINUTES)).isEqualTo("released");
        }
        TestPipelines.awaitNothingHeld(pipeline);
    }

    /** Makes the node expect results of this size from a host. */
    private void learn(String host, int bytes) throws InterruptedException {
        offer(all(host));
        attempts(2).forEach(each -> respond(each, bytes));
        transport.nextPublished().confirm();
        TestPipelines.awaitNothingHeld(pipeline);
    }

    private void assertAnotherCallIsAnswered() throws InterruptedException {
        offer("{\"id\": \"other\", \"url\": \"http://other.example/\"}");
        http.next().respond(200);
        PublishedMessage other = transport.nextPublished();
        assertThat(other.answer().id()).isEqualTo("other");
        other.confirm();
        await().until(() -> pipeline.status().inFlight() == 4);
    }

    private List<FakeAttempt> attempts(int count) throws InterruptedException {
        List<FakeAttempt> attempts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            attempts.add(http.next());
        }
        return attempts;
    }

    private static void respond(FakeAttempt attempt, int bytes) {
        assertThat(attempt.budget().tryReserve(bytes)).isTrue();
        attempt.end(new HttpResult.Response(200, List.of(), new byte[bytes], false, AttemptTiming.NONE));
    }

    private FakeDelivery offer(String envelope) {
        FakeDelivery delivery = delivery(envelope);
        assertThat(transport.offer(delivery)).isTrue();
        return delivery;
    }

    private FakeDelivery delivery(String envelope) {
        return new FakeDelivery(envelope, clock.wallMillis(), Map.of());
    }

    private static String all(String host) {
        return "{\"id\": \"i\", \"all\": [" + calls(host, 2) + "]}";
    }

    private static String calls(String host, int count) {
        String call = "{\"url\": \"http://" + host + ".example/\"}";
        return String.join(", ", Collections.nCopies(count, call));
    }
}
