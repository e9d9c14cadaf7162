package io.iocluster.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.cache.CacheResult;
import io.iocluster.cache.CacheSettings;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.message.Answer;
import io.iocluster.message.usable.UsableRule;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.usable.UsableSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests that each call checks a response that it did not cause itself by its own rule. */
class UsableCachedAnswersTest extends CacheFixture {

    private static final CacheSettings NEGATIVE = RecordCopy.with(MINUTE, "negativeTtl", Duration.ofSeconds(10));
    private static final String TRUE = ",\"usable\":{\"json\":{\"pointer\":\"/match\",\"equals\":true}}";
    private static final String FALSE = ",\"usable\":{\"json\":{\"pointer\":\"/match\",\"equals\":false}}";

    @Test
    void aStoredResponseThatIsNotUsableDoesNotWin() throws Exception {
        start(NEGATIVE);
        call(get("/a"), 200, "{\"match\":false}");

        offer("{\"any\":[" + get("/a", TRUE) + ",{\"url\":\"http://other.example/\"}]}");
        respond(http.next(), 200, "");

        assertThat(answer().branch()).isEqualTo(1);
    }

    @Test
    void eachHitIsCheckedByTheRuleOfItsCall() throws Exception {
        start(NEGATIVE);
        assertThat(call(get("/a", TRUE), 200, "{\"match\":false}").unusable()).isEqualTo("no-match");

        assertThat(hit(get("/a")).unusable()).isNull();
        assertThat(hit(get("/a", FALSE)).unusable()).isNull();
        assertThat(hit(get("/a", TRUE)).unusable()).isEqualTo("no-match");
    }

    @Test
    void aCallForWhichTheStoredResponseIsNotUsableMakesItsOwnAttemptAfterTheNegativeTtl() throws Exception {
        start(NEGATIVE);
        call(get("/a", TRUE), 200, "{\"match\":false}");
        hit(get("/a", TRUE));
        clock.advance(Duration.ofSeconds(10));

        assertThat(hit(get("/a")).text()).isEqualTo("{\"match\":false}");
        assertThat(call(get("/a", TRUE), 200, "{\"match\":true}").unusable()).isNull();
        assertThat(hit(get("/a", TRUE)).text()).isEqualTo("{\"match\":true}");
    }

    @Test
    void withoutANegativeTtlAResponseThatIsNotUsableIsNotStored() throws Exception {
        start(MINUTE);
        call(get("/a", TRUE), 200, "{\"match\":false}");

        assertThat(cache().entries()).isZero();
    }

    @Test
    void anIdenticalCallChecksTheSharedResponseByItsOwnRule() throws Exception {
        start(COALESCED);
        offer(get("/a", TRUE));
        FakeAttempt attempt = http.next();
        offer(get("/a", FALSE));
        respond(attempt, 200, "{\"match\":false}");

        Answer first = answer();
        Answer second = answer();
        Answer coalesced = first.cache().hit() ? first : second;
        Answer leader = coalesced == first ? second : first;

        assertThat(leader.unusable()).isEqualTo("no-match");
        assertThat(coalesced.unusable()).isNull();
    }

    @Test
    void aConfirmationIsNotTakenForAnAnswerThatIsNotUsable() throws Exception {
        DestinationPolicy strict = RecordCopy.with(
                policy(MINUTE),
                "usable",
                RecordCopy.with(
                        UsableSettings.DEFAULTS,
                        "rule",
                        UsableRule.builder().json("/match").equalTo(true).build()),
                "retry",
                RecordCopy.with(
                        RetrySettings.DEFAULTS.withAttempts(2, Duration.ofNanos(1), Duration.ofNanos(1)),
                        "unusableAnswers",
                        true));
        start(settings(strict, 4, DataSize.ofMebibytes(16)));
        call(get("/a"), 200, "{\"match\":true}", "etag", "\"1\"");
        clock.advance(Duration.ofSeconds(61));

        Answer answer = call(get("/a"), 304, "", "etag", "\"1\"");

        assertThat(answer.attempts()).isEqualTo(1);
        assertThat(answer.text()).isEqualTo("{\"match\":true}");
        assertThat(answer.unusable()).isNull();
        assertThat(count(CacheResult.REVALIDATED)).isEqualTo(1);
    }
}
