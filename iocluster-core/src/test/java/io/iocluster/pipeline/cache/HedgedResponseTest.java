package io.iocluster.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.hedge.HedgeDelay;
import io.iocluster.hedge.HedgeSettings;
import io.iocluster.message.Answer;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests that a second attempt of a slow call fills the cache and answers identical calls. */
class HedgedResponseTest extends CacheFixture {

    private static final Duration AFTER = Duration.ofMillis(200);

    @Test
    void theAnswerOfASecondAttemptIsStoredAndAnswersTheCallsThatWaitForTheFirst() throws Exception {
        start(settings(
                RecordCopy.with(
                        policy(COALESCED),
                        "retry",
                        RetrySettings.DEFAULTS.withAttempts(2, Duration.ofNanos(1), Duration.ofNanos(1)),
                        "hedge",
                        new HedgeSettings(new HedgeDelay(0, AFTER), 100, Duration.ofMillis(5))),
                4,
                DataSize.ofMebibytes(16)));
        offer(get("/slow"));
        FakeAttempt first = http.next();
        offer(get("/slow"));
        await().until(() -> pipeline.status().waiting() == 1);
        clock.advance(AFTER.plusMillis(2));
        FakeAttempt second = http.next(); // Although the other call waits.

        respond(second, 200, "answer", "cache-control", "max-age=60");

        Answer one = answer();
        Answer other = answer();
        assertThat(first.result()).isCancelled();
        assertThat(one.attempts() + other.attempts()).isEqualTo(2);
        assertThat(hit(get("/slow")).status()).isEqualTo(200);
        awaitNothingHeld();
    }
}
