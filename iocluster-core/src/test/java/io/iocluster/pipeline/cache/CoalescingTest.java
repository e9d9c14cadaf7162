package io.iocluster.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.cache.CacheKeySettings;
import io.iocluster.cache.CacheResult;
import io.iocluster.cache.CacheSettings;
import io.iocluster.cache.CacheSharing;
import io.iocluster.message.Answer;
import io.iocluster.message.Answer.CacheUse;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.transport.PublishResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how identical calls share one attempt, and what happens to them when it fails. */
class CoalescingTest extends CacheFixture {

    /** Shares attempts, and stores nothing. */
    private static final CacheSettings ONLY_COALESCED = RecordCopy.with(CacheSettings.DEFAULTS, "coalesce", true);

    @Test
    void tenThousandIdenticalCallsReachTheTargetOnce() throws Exception {
        start(settings(policy(COALESCED), 300, DataSize.ofMebibytes(256)));
        transport.atOnce = PublishResult.CONFIRMED;
        List<FakeDelivery> deliveries = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            deliveries.add(offer(get("/a", ",\"id\":\"" + i + "\"")));
        }
        assertThat(pipeline.status().inFlight()).isEqualTo(1);

        respond(http.next(), 200, "body");

        for (FakeDelivery each : deliveries) {
            assertThat(each.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
        }
        assertThat(http.attempts).isEmpty();
        assertThat(count(CacheResult.COALESCED)).isEqualTo(9_999);
        awaitNothingHeld();
    }

    @Test
    void callsBeyondTheQueueStayWithTheSourceAndAreThenHits() throws Exception {
        start(settings(RecordCopy.with(policy(COALESCED), "maxWaiting", 100), 300, DataSize.ofMebibytes(256)));
        transport.atOnce = PublishResult.CONFIRMED;
        Queue<FakeDelivery> atSource = new ArrayDeque<>();
        List<FakeDelivery> all = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            FakeDelivery each = new FakeDelivery(get("/a"), clock.wallMillis(), Map.of());
            all.add(each);
            if (!transport.offer(each)) {
                atSource.add(each);
            }
        }
        assertThat(atSource).hasSize(899);

        respond(http.next(), 200, "body");

        await().until(() -> {
            while (!atSource.isEmpty() && transport.offer(atSource.peek())) {
                atSource.remove();
            }
            return atSource.isEmpty();
        });
        for (FakeDelivery each : all) {
            assertThat(each.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
        }
        assertThat(http.attempts).isEmpty();
        assertThat(count(CacheResult.COALESCED)).isEqualTo(100);
        assertThat(count(CacheResult.HIT)).isEqualTo(899);
    }

    @Test
    void eachCallGetsItsOwnAnswer() throws Exception {
        start(ONLY_COALESCED);
        offer(get("/a", ",\"id\":\"1\",\"context\":1"));
        offer(get("/a", ",\"id\":\"2\",\"context\":2"));
        offer(get("/b", ",\"id\":\"3\",\"context\":3"));
        FakeAttempt first = http.next();
        FakeAttempt other = http.next();
        assertThat(other.request().url().pathAndQuery()).isEqualTo("/b");

        respond(first, 200, "a");
        Answer one = answer();
        Answer two = answer();
        respond(other, 200, "b");
        Answer three = answer();

        assertThat(Set.of(one.id() + one.context(), two.id() + two.context())).containsExactlyInAnyOrder("11", "22");
        assertThat(List.of(one, two)).allMatch(answer -> answer.text().equals("a"));
        assertThat(List.of(one, two, three)).extracting(Answer::attempts).containsExactlyInAnyOrder(0, 1, 1);
        assertThat(List.of(one, two, three))
                .extracting(Answer::cache)
                .containsExactlyInAnyOrder(CacheUse.MISS, CacheUse.MISS, new CacheUse(true, 0, false));
        assertThat(http.attempts).isEmpty();
        assertThat(cache().entries()).isZero();
        awaitNothingHeld();
    }

    @Test
    void aFollowerWhoseDeadlineEndsFirstFailsAlone() throws Exception {
        start(ONLY_COALESCED);
        offer(get("/a", ",\"id\":\"leader\""));
        FakeAttempt attempt = http.next();
        offer(get("/a", ",\"id\":\"short\",\"deadlineMs\":1000"));
        offer(get("/a", ",\"id\":\"long\""));

        clock.advance(Duration.ofSeconds(2));
        Answer expired = answer();
        respond(attempt, 200, "body");

        assertThat(expired.id()).isEqualTo("short");
        assertThat(expired.errorCode()).isEqualTo("deadline-exceeded");
        assertThat(ids(2)).containsExactlyInAnyOrder("leader", "long");
        assertThat(http.attempts).isEmpty();
        awaitNothingHeld();
    }

    private Set<String> ids(int answers) throws InterruptedException {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < answers; i++) {
            Answer answer = answer();
            assertThat(answer.text()).isEqualTo("body");
            ids.add(answer.id());
        }
        return ids;
    }

    @Test
    void aFollowerLeadsWhenOnlyTheLeaderEnds() throws Exception {
        start(ONLY_COALESCED);
        // The first branch to answer cancels the leader of the others.
        offer("{\"id\":\"any\",\"any\":[" + get("/a") + "," + get("/win") + "]}");
        http.next();
        FakeAttempt winner = http.next();
        offer(get("/a", ",\"id\":\"2\""));
        offer(get("/a", ",\"id\":\"3\""));
        assertThat(http.attempts).isEmpty();

        respond(winner, 200, "body");
        assertThat(ids(1)).containsExactly("any");
        FakeAttempt second = http.next();
        respond(second, 200, "body");

        assertThat(ids(2)).containsExactlyInAnyOrder("2", "3");
        assertThat(http.attempts).isEmpty();
        awaitNothingHeld();
    }

    @Test
    void aFollowerLeadsWhenTheDeadlineOfTheLeaderEndsItsAttempt() throws Exception {
        start(ONLY_COALESCED);
        offer(get("/a", ",\"id\":\"1\",\"deadlineMs\":1000"));
        FakeAttempt first = http.next();
        offer(get("/a", ",\"id\":\"2\""));
        offer(get("/a", ",\"id\":\"3\""));

        clock.advance(Duration.ofSeconds(1));
        first.fail(ErrorCode.TIMEOUT, SentStatus.MAYBE);
        assertThat(answer().errorCode()).isEqualTo("deadline-exceeded");
        FakeAttempt second = http.next();
        respond(second, 200, "body");

        assertThat(ids(2)).containsExactlyInAnyOrder("2", "3");
        assertThat(http.attempts).isEmpty();
        awaitNothingHeld();
    }

    @Test
    void followersMakeTheirOwnAttemptsWhenThatOfTheLeaderFails() throws Exception {
        start(ONLY_COALESCED);
        for (int i = 0; i < 3; i++) {
            offer(get("/a", ",\"id\":\"" + i + "\""));
        }

        http.next().fail(ErrorCode.CONNECT_REFUSED, SentStatus.NO);
        assertThat(answer().errorCode()).isEqualTo("connect-refused");
        FakeAttempt second = http.next();
        FakeAttempt third = http.next();
        respond(second, 200, "body");
        third.fail(ErrorCode.TIMEOUT, SentStatus.MAYBE);

        assertThat(List.of(answer().outcome(), answer().outcome()))
                .extracting(Enum::name)
                .containsExactlyInAnyOrder("ANSWERED", "FAILED");
        awaitNothingHeld();
    }

    @ParameterizedTest
    @ValueSource(strings = {"no-store", "private"})
    void followersMakeTheirOwnAttemptsWhenTheResponseForbidsSharing(String control) throws Exception {
        start(ONLY_COALESCED);
        offer(get("/a", ",\"id\":\"1\""));
        offer(get("/a", ",\"id\":\"2\""));

        respond(http.next(), 200, "of 1", "cache-control", control);
        assertThat(answer().text()).isEqualTo("of 1");
        respond(http.next(), 200, "of 2", "cache-control", control);

        assertThat(answer().text()).isEqualTo("of 2");
    }

    @Test
    void aCookieIsNeverShared() throws Exception {
        start(RecordCopy.with(ONLY_COALESCED, "respectCacheControl", false));
        offer(get("/a", ",\"id\":\"1\""));
        offer(get("/a", ",\"id\":\"2\""));

        respond(http.next(), 200, "of 1", "set-cookie", "session=1");
        answer();
        respond(http.next(), 200, "of 2", "set-cookie", "session=2");

        assertThat(answer().header("set-cookie")).isEqualTo("session=2");
    }

    @Test
    void aFollowerThatTheResponseDoesNotFitMakesItsOwnAttempt() throws Exception {
        start(RecordCopy.with(COALESCED, "key", new CacheKeySettings(List.of("*"), List.of())));
        String german = get("/a", ",\"id\":\"1\",\"headers\":{\"accept-language\":\"de\"}");
        String english = get("/a", ",\"id\":\"2\",\"headers\":{\"accept-language\":\"en\"}");
        offer(german);
        offer(english);

        respond(http.next(), 200, "deutsch", "vary", "accept-language");
        assertThat(answer().text()).isEqualTo("deutsch");
        respond(http.next(), 200, "english", "vary", "accept-language");

        assertThat(answer().text()).isEqualTo("english");
        assertThat(hit(german).text()).isEqualTo("deutsch");
        assertThat(hit(english).text()).isEqualTo("english");
    }

    @Test
    void aBranchFollowsEvenIfTheQueueIsFull() throws Exception {
        start(settings(RecordCopy.with(policy(ONLY_COALESCED), "maxWaiting", 1), 4, DataSize.ofMebibytes(16)));
        offer(get("/a"));
        FakeAttempt attempt = http.next();
        offer(get("/a"));

        FakeDelivery branches = offer("{\"id\":\"all\",\"all\":[" + get("/b") + "," + get("/a") + "]}");
        respond(http.next(), 200, "body");
        assertThat(branches.settled).isNotDone();
        respond(attempt, 200, "body");

        assertThat(List.of(answer().outcome(), answer().outcome(), answer().outcome()))
                .extracting(Enum::name)
                .containsOnly("ANSWERED");
        assertThat(http.attempts).isEmpty();
        awaitNothingHeld();
    }

    @Test
    void aFollowerMakesItsOwnAttemptIfACallChangedTheResourceMeanwhile() throws Exception {
        start(ONLY_COALESCED);
        offer(get("/a", ",\"id\":\"1\""));
        FakeAttempt before = http.next();
        clock.advance(Duration.ofSeconds(1));
        call(get("/a", ",\"method\":\"PUT\""), 204, "");
        offer(get("/a", ",\"id\":\"2\""));

        respond(before, 200, "old");
        assertThat(answer().id()).isEqualTo("1");
        respond(http.next(), 200, "new");

        Answer second = answer();
        assertThat(second.id()).isEqualTo("2");
        assertThat(second.text()).isEqualTo("new");
    }

    @Test
    void aFollowerWithAnotherCredentialGetsOnlyAResponseThatIsForAll() throws Exception {
        CacheSettings shared = RecordCopy.with(ONLY_COALESCED, "shareAcross", List.of(CacheSharing.CREDENTIALS));
        start(RecordCopy.with(
                settings(shared),
                "credentials",
                Map.of("key", ResponseCacheTest.bearer("1"), "other", ResponseCacheTest.bearer("2"))));
        String own = get("/a", ",\"auth\":\"key\"");
        String another = get("/a", ",\"auth\":\"other\"");
        offer(own);
        offer(own);
        offer(another);

        respond(http.next(), 200, "of key");
        assertThat(List.of(answer().text(), answer().text())).containsOnly("of key");
        respond(http.next(), 200, "of other");
        assertThat(answer().text()).isEqualTo("of other");

        offer(own);
        offer(another);
        respond(http.next(), 200, "of all", "cache-control", "public");
        assertThat(List.of(answer().text(), answer().text())).containsOnly("of all");
        assertThat(http.attempts).isEmpty();
    }

    @Test
    void anErrorStatusIsSharedToo() throws Exception {
        start(COALESCED);
        offer(get("/a"));
        offer(get("/a"));

        respond(http.next(), 500, "down");

        assertThat(List.of(answer().status(), answer().status())).containsExactly(500, 500);
        assertThat(http.attempts).isEmpty();
        assertThat(cache().entries()).isZero();
    }

    @Test
    void callsOfDifferentAppsDoNotShareAnAttempt() throws Exception {
        start(ONLY_COALESCED);
        offer(get("/a"), Map.of("app", "shop"));
        offer(get("/a"), Map.of("app", "billing"));

        respond(http.next(), 200, "of shop");
        respond(http.next(), 200, "of billing");

        assertThat(List.of(answer().text(), answer().text())).containsExactlyInAnyOrder("of shop", "of billing");
    }

    @Test
    void theNextCallAfterAnAttemptMakesItsOwn() throws Exception {
        start(ONLY_COALESCED);
        call(get("/a"), 200, "1");

        assertThat(call(get("/a"), 200, "2").text()).isEqualTo("2");
    }
}
