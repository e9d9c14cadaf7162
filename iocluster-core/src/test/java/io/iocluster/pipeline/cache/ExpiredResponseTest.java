package io.iocluster.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.cache.CacheResult;
import io.iocluster.cache.CacheSettings;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.policy.BreakerSettings;
import io.iocluster.message.Answer;
import io.iocluster.message.Answer.CacheUse;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how expired responses are confirmed by the target, and used while it fails. */
class ExpiredResponseTest extends CacheFixture {

    private static final CacheSettings STALE = RecordCopy.with(MINUTE, "staleIfError", Duration.ofMinutes(10));

    @Test
    void anExpiredResponseIsRevalidatedByItsValidators() throws Exception {
        start(MINUTE);
        call(get("/a"), 200, "body", "etag", "\"1\"", "last-modified", "Sun, 15 Jun 2025 15:06:40 GMT", "x", "old");
        clock.advance(Duration.ofSeconds(61));

        offer(get("/a"));
        FakeAttempt attempt = http.next();
        respond(attempt, 304, "", "etag", "\"1\"", "x", "new");
        Answer answer = answer();

        assertThat(attempt.request().headers())
                .containsExactly(
                        new Header("If-None-Match", "\"1\""),
                        new Header("If-Modified-Since", "Sun, 15 Jun 2025 15:06:40 GMT"));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo("body");
        assertThat(answer.header("x")).isEqualTo("new");
        assertThat(answer.cache()).isEqualTo(new CacheUse(true, 0, false));
        assertThat(answer.attempts()).isEqualTo(1);
        assertThat(count(CacheResult.REVALIDATED)).isEqualTo(1);
        assertThat(hit(get("/a")).header("x")).isEqualTo("new");
    }

    @Test
    void aNewVersionReplacesTheExpiredOne() throws Exception {
        start(MINUTE);
        call(get("/a"), 200, "1", "etag", "\"1\"");
        clock.advance(Duration.ofSeconds(61));

        assertThat(call(get("/a"), 200, "2", "etag", "\"2\"").text()).isEqualTo("2");

        assertThat(hit(get("/a")).text()).isEqualTo("2");
    }

    @Test
    void a304ForAnotherVersionIsAProtocolError() throws Exception {
        start(MINUTE);
        call(get("/a"), 200, "1", "etag", "\"1\"");
        clock.advance(Duration.ofSeconds(61));

        assertThat(call(get("/a"), 304, "", "etag", "\"2\"").errorCode()).isEqualTo("protocol-error");
    }

    @Test
    void afterA304ForAnotherVersionTheNextCallAsksForThatVersion() throws Exception {
        start(MINUTE);
        call(get("/a"), 200, "1", "last-modified", "Sun, 15 Jun 2025 15:06:40 GMT");
        clock.advance(Duration.ofSeconds(61));
        call(get("/a"), 304, "", "etag", "\"2\"");

        offer(get("/a"));
        FakeAttempt next = http.next();
        respond(next, 200, "2", "etag", "\"2\"");

        assertThat(next.request().headers()).isEmpty();
        assertThat(answer().text()).isEqualTo("2");
    }

    @Test
    void theCallersOwnConditionalRequestGetsItsOwn304() throws Exception {
        start(MINUTE);
        call(get("/a"), 200, "1", "etag", "\"1\"");

        Answer answer = call(get("/a", ",\"headers\":{\"if-none-match\":\"\\\"1\\\"\"}"), 304, "");

        assertThat(answer.status()).isEqualTo(304);
        assertThat(answer.cache()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"500", "502", "503", "504"})
    void anExpiredResponseAnswersACallThatTheTargetFails(int status) throws Exception {
        start(STALE);
        call(get("/a"), 200, "old");
        clock.advance(Duration.ofSeconds(70));

        Answer answer = call(get("/a"), status, "down");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo("old");
        assertThat(answer.cache()).isEqualTo(new CacheUse(true, 70_000, true));
        assertThat(count(CacheResult.STALE)).isEqualTo(1);
    }

    @Test
    void anExpiredResponseAnswersACallThatGetsNoResponse() throws Exception {
        start(STALE);
        call(get("/a"), 200, "old");
        clock.advance(Duration.ofSeconds(70));

        offer(get("/a"));
        http.next().fail(ErrorCode.CONNECT_REFUSED, SentStatus.NO);

        assertThat(answer().text()).isEqualTo("old");
    }

    @Test
    void withoutStaleIfErrorTheCallGetsTheFailure() throws Exception {
        start(MINUTE);
        call(get("/a"), 200, "old");
        clock.advance(Duration.ofSeconds(70));

        assertThat(call(get("/a"), 503, "down").status()).isEqualTo(503);
    }

    @Test
    void anExpiredResponseAnswersWhileTheBreakerIsOpenAndAProbeStillStarts() throws Exception {
        BreakerSettings breaker =
                RecordCopy.with(BreakerSettings.DEFAULTS, "minimumCalls", 1, "windowSize", 1, "halfOpenCalls", 1);
        start(settings(RecordCopy.with(policy(STALE), "breaker", breaker), 4, DataSize.ofMebibytes(16)));
        call(get("/a"), 200, "old");
        clock.advance(Duration.ofSeconds(70));
        call(get("/b"), 500, "down");
        assertThat(pipeline.destinations().get(0).breaker()).isEqualTo(BreakerState.OPEN);

        assertThat(hit(get("/a")).cache().stale()).isTrue();

        clock.advance(breaker.openDuration().plusMillis(1));
        assertThat(call(get("/a"), 200, "new").text()).isEqualTo("new");
        assertThat(pipeline.destinations().get(0).breaker()).isEqualTo(BreakerState.CLOSED);
    }
}
