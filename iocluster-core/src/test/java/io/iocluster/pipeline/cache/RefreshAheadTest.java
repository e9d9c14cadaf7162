package io.iocluster.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.cache.CacheResult;
import io.iocluster.cache.CacheSettings;
import io.iocluster.message.Answer;
import io.iocluster.message.Header;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests that a response in use is refreshed before it expires, and that no call waits for it. */
class RefreshAheadTest extends CacheFixture {

    private static final CacheSettings AHEAD = RecordCopy.with(MINUTE, "refreshAhead", Duration.ofSeconds(10));

    /** Makes a call that is answered at once although an attempt may start. */
    private Answer hitAtOnce() throws InterruptedException {
        offer(get("/a"));
        Answer answer = answer();
        assertThat(answer.cache().hit()).isTrue();
        assertThat(answer.attempts()).isZero();
        return answer;
    }

    @Test
    void aResponseInUseIsRefreshedInTheBackground() throws Exception {
        start(AHEAD);
        call(get("/a"), 200, "old", "etag", "\"1\"");
        clock.advance(Duration.ofSeconds(49));
        hit(get("/a"));
        clock.advance(Duration.ofSeconds(1));

        assertThat(hitAtOnce().text()).isEqualTo("old");
        FakeAttempt refresh = http.next();
        assertThat(hit(get("/a")).text()).isEqualTo("old");
        respond(refresh, 200, "new", "etag", "\"2\"");
        await().until(() -> cache().refreshes() == 1);
        clock.advance(Duration.ofSeconds(30));

        assertThat(refresh.request().headers()).containsExactly(new Header("If-None-Match", "\"1\""));
        assertThat(hit(get("/a")).text()).isEqualTo("new");
        assertThat(count(CacheResult.MISS)).isEqualTo(1);
        assertThat(count(CacheResult.HIT)).isEqualTo(4);
        awaitNothingHeld();
    }

    @Test
    void aRefreshedResponseIsUsedForItsOwnTime() throws Exception {
        start(AHEAD);
        call(get("/a"), 200, "old");
        clock.advance(Duration.ofSeconds(55));
        hitAtOnce();

        respond(http.next(), 200, "new");
        await().until(() -> cache().refreshes() == 1);
        clock.advance(Duration.ofSeconds(30));

        assertThat(hit(get("/a")).text()).isEqualTo("new");
    }

    @Test
    void aResponseWithAShortLifetimeIsRefreshedInItsSecondHalf() throws Exception {
        start(AHEAD);
        call(get("/a"), 200, "old", "cache-control", "max-age=6");
        clock.advance(Duration.ofSeconds(2));
        hitAtOnce();
        assertThat(pipeline.destinations().get(0).attempts().started()).isEqualTo(1);

        clock.advance(Duration.ofSeconds(2));
        hitAtOnce();

        respond(http.next(), 200, "new", "cache-control", "max-age=6");
        await().until(() -> cache().refreshes() == 1);
    }

    @Test
    void aResponseIsRefreshedOnceEvenIfThatFails() throws Exception {
        start(RecordCopy.with(AHEAD, "coalesce", true));
        call(get("/a"), 200, "old");
        clock.advance(Duration.ofSeconds(55));
        hitAtOnce();

        respond(http.next(), 503, "down");
        await().until(() -> cache().refreshes() == 1);

        assertThat(hit(get("/a")).text()).isEqualTo("old");
        clock.advance(Duration.ofSeconds(6));
        assertThat(call(get("/a"), 200, "new").text()).isEqualTo("new");
        awaitNothingHeld();
    }

    @Test
    void aCallAfterTheEndSharesTheAttemptThatIsUnderWay() throws Exception {
        start(RecordCopy.with(AHEAD, "coalesce", true));
        call(get("/a"), 200, "old");
        clock.advance(Duration.ofSeconds(55));
        hitAtOnce();
        FakeAttempt refresh = http.next();
        clock.advance(Duration.ofSeconds(6));

        offer(get("/a"));
        assertThat(http.attempts).isEmpty();
        respond(refresh, 200, "new");

        assertThat(answer().text()).isEqualTo("new");
        assertThat(count(CacheResult.COALESCED)).isEqualTo(1);
        awaitNothingHeld();
    }

    @Test
    void aResponseThatNoCallUsesIsNotRefreshed() throws Exception {
        start(AHEAD);
        call(get("/a"), 200, "old");
        clock.advance(Duration.ofSeconds(55));
        call(get("/b"), 200, "other");

        assertThat(http.attempts).isEmpty();
        assertThat(cache().refreshes()).isZero();
    }
}
