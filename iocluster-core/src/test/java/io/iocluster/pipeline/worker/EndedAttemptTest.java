package io.iocluster.pipeline.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.pipeline.ControlledPipeline;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.retry.RetrySettings;
import io.iocluster.testkit.memory.FakeDelivery;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that an open call does not keep the response of an attempt that has ended, because the budget no longer counts its bytes. */
class EndedAttemptTest extends ControlledPipeline {

    private static final int BODY_BYTES = 150 * 1024;
    private static final Duration LONG = Duration.ofSeconds(20);

    @BeforeEach
    void create() {
        pipeline = TestPipelines.of(
                transport,
                http,
                clock,
                TestPipelines.oneWorker(41),
                TestPipelines.policy(0, 0, RetrySettings.DEFAULTS),
                new DestinationSettings(
                        List.of("again.example"),
                        "again",
                        TestPipelines.policy(0, 0, RetrySettings.DEFAULTS.withAttempts(2, LONG, LONG))));
    }

    @Test
    void aResultWithoutRoomIsNotReferencedWhileOtherCallsOfTheMessageAreOpen() throws Exception {
        pipeline.start();
        offer("{\"id\": \"i\", \"all\": [{\"url\": \"http://a.example/\"}, {\"url\": \"http://a.example/\"}]}");

        WeakReference<byte[]> body = respondToNext(200);

        await().until(() -> pipeline.status().workers().get(0).inFlight() == 1);
        awaitUnreferenced(body);
    }

    @Test
    void theResponseOfAFailedAttemptIsNotReferencedWhileTheCallWaitsForItsRetry() throws Exception {
        pipeline.start();
        offer("{\"id\": \"i\", \"url\": \"http://again.example/\", \"deadlineMs\": 60000}");

        WeakReference<byte[]> body = respondToNext(503);

        await().until(() -> pipeline.status().waiting() == 1);
        awaitUnreferenced(body);
    }

    private void offer(String envelope) {
        assertThat(transport.offer(new FakeDelivery(envelope, clock.wallMillis(), Map.of())))
                .isTrue();
    }

    private WeakReference<byte[]> respondToNext(int status) throws InterruptedException {
        FakeAttempt attempt = http.next();
        byte[] body = new byte[BODY_BYTES];
        assertThat(attempt.budget().tryReserve(BODY_BYTES)).isTrue();
        attempt.end(new HttpResult.Response(status, List.of(), body, false, AttemptTiming.NONE));
        return new WeakReference<>(body);
    }

    private static void awaitUnreferenced(WeakReference<byte[]> body) {
        await().untilAsserted(() -> {
            System.gc();
            assertThat(body.refersTo(null)).isTrue();
        });
    }
}
