package io.iocluster.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.cache.CacheResult;
import io.iocluster.cache.CacheSettings;
import io.iocluster.cache.shared.FakeStore;
import io.iocluster.cache.shared.SharedCacheResult;
import io.iocluster.cache.shared.SharedCacheSettings;
import io.iocluster.cache.shared.SharedTestData;
import io.iocluster.egress.EgressSettings;
import io.iocluster.message.Answer;
import io.iocluster.message.Answer.CacheUse;
import io.iocluster.pipeline.FakeExecutors;
import io.iocluster.pipeline.FakeTransport;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests calls that look for a response in the cache that nodes share, before their attempt. */
class SharedCacheCallsTest extends CacheFixture {

    private static final CacheSettings SHARED = RecordCopy.with(MINUTE, "shared", true);
    private static final CacheSettings COALESCED_AND_SHARED = RecordCopy.with(SHARED, "coalesce", true);

    private final FakeStore store = new FakeStore();

    /** A second node with the same store. */
    private final FakeTransport otherTransport = new FakeTransport();

    private final FakeExecutors otherHttp = new FakeExecutors();
    private Pipeline other;

    private void startBoth(CacheSettings cache, SharedCacheSettings shared) {
        startBoth(with(settings(cache), shared));
    }

    private void startBoth(PipelineSettings settings) {
        pipeline = TestPipelines.of(transport, http, clock, settings, store);
        pipeline.start();
        other = TestPipelines.of(otherTransport, otherHttp, clock, settings, store);
        other.start();
    }

    @AfterEach
    void stopOther() {
        other.close();
    }

    private static PipelineSettings with(PipelineSettings settings, SharedCacheSettings shared) {
        return RecordCopy.with(settings, "sharedCache", shared);
    }

    private static PipelineSettings withCredential(PipelineSettings settings, String token) {
        return RecordCopy.with(settings, "credentials", Map.of("key", ResponseCacheTest.bearer(token)));
    }

    /** Makes a call on the second node. */
    private Answer callOther(String envelope, Map<String, String> headers) throws InterruptedException {
        assertThat(otherTransport.offer(new FakeDelivery(envelope, clock.wallMillis(), headers)))
                .isTrue();
        FakeTransport.PublishedMessage published = otherTransport.nextPublished();
        published.confirm();
        return published.answer();
    }

    /** Makes a call on the second node that its target must not see. */
    private Answer hitOther(String envelope) throws InterruptedException {
        Answer answer = callOther(envelope, Map.of());
        assertThat(otherHttp.attempts).isEmpty();
        return answer;
    }

    private void offerOther(String envelope, Map<String, String> headers) {
        assertThat(otherTransport.offer(new FakeDelivery(envelope, clock.wallMillis(), headers)))
                .isTrue();
    }

    /** Makes a call on the second node that must reach the target. */
    private void missOther(String envelope, Map<String, String> headers) throws InterruptedException {
        offerOther(envelope, headers);
        respond(otherHttp.next(), 200, "own");
        FakeTransport.PublishedMessage published = otherTransport.nextPublished();
        published.confirm();
        assertThat(published.answer().text()).isEqualTo("own");
    }

    private long lookups(SharedCacheResult result) {
        return pipeline.sharedCache().orElseThrow().lookups().get(result);
    }

    @Test
    void anotherNodeIsAnsweredWithTheStoredResponse() throws Exception {
        startBoth(SHARED, SharedTestData.PLAIN);
        call(get("/a"), 200, "body", "content-type", "text/plain");
        clock.advance(Duration.ofSeconds(20));

        Answer answer = hitOther(get("/a", ",\"id\":\"2\""));

        assertThat(answer.id()).isEqualTo("2");
        assertThat(answer.text()).isEqualTo("body");
        assertThat(answer.attempts()).isZero();
        assertThat(answer.cache()).isEqualTo(new CacheUse(true, 20_000, false));
        assertThat(other.caches().get(0).results().get(CacheResult.SHARED)).isEqualTo(1);
        assertThat(hitOther(get("/a")).text()).isEqualTo("body");
        assertThat(other.caches().get(0).results().get(CacheResult.HIT)).isEqualTo(1);
        TestPipelines.awaitNothingHeld(other);
    }

    @Test
    void aDestinationDoesNotShareUnlessItSaysSo() throws Exception {
        startBoth(MINUTE, SharedTestData.PLAIN);
        call(get("/a"), 200, "body");

        missOther(get("/a"), Map.of());

        assertThat(store.values).isEmpty();
        assertThat(store.reads).hasValue(0);
    }

    @Test
    void anotherAppIsNotAnsweredWithIt() throws Exception {
        startBoth(SHARED, SharedTestData.PLAIN);
        offer(get("/a"), Map.of("app", "shop"));
        respond(http.next(), 200, "of the shop");
        answer();

        missOther(get("/a"), Map.of("app", "billing"));

        assertThat(callOther(get("/a"), Map.of("app", "shop")).text()).isEqualTo("of the shop");
    }

    @Test
    void anotherValueOfTheCredentialIsNotAnsweredWithIt() throws Exception {
        PipelineSettings keyed = with(settings(SHARED), SharedTestData.KEYED);
        startBoth(withCredential(keyed, "one"));
        call(get("/a", ",\"auth\":\"key\""), 200, "of one");
        assertThat(hitOther(get("/a", ",\"auth\":\"key\"")).text()).isEqualTo("of one");

        other.reconfigure(withCredential(keyed, "two"));

        missOther(get("/a", ",\"auth\":\"key\""), Map.of());
        missOther(get("/a"), Map.of());
    }

    @Test
    void otherEgressSettingsUseNoResponseFromBefore() throws Exception {
        startBoth(SHARED, SharedTestData.PLAIN);
        call(get("/a"), 200, "body");

        EgressSettings stricter = RecordCopy.with(EgressSettings.DEFAULTS, "denyHosts", List.of("evil.example"));
        other.reconfigure(with(with(settings(SHARED), stricter), SharedTestData.PLAIN));

        missOther(get("/a"), Map.of());
    }

    @Test
    void noCallFindsAResponseFromBeforeWhileTheConnectionForOtherEgressSettingsIsOpened() throws Exception {
        startBoth(SHARED, SharedTestData.PLAIN);
        call(get("/a"), 200, "body");
        List<Boolean> sharedMeanwhile = new ArrayList<>();
        store.onOpen = () -> sharedMeanwhile.add(other.sharedCache().isPresent());

        EgressSettings stricter = RecordCopy.with(EgressSettings.DEFAULTS, "denyHosts", List.of("evil.example"));
        other.reconfigure(with(with(settings(SHARED), stricter), SharedTestData.PLAIN));

        assertThat(sharedMeanwhile).containsExactly(false);
        assertThat(other.sharedCache()).isPresent();
    }

    @Test
    void identicalCallsWaitForOneLookupAndShareItsResponse() throws Exception {
        startBoth(COALESCED_AND_SHARED, SharedTestData.PLAIN);
        callOtherAndRespond(get("/a"), "body");
        store.answersLater = true;
        for (int i = 0; i < 5; i++) {
            offer(get("/a"));
        }
        assertThat(store.unanswered).hasSize(1);
        assertThat(pipeline.destinations().get(0).waiting()).isEqualTo(5);

        store.unanswered.get(0).answer();

        for (int i = 0; i < 5; i++) {
            assertThat(answer().text()).isEqualTo("body");
        }
        assertThat(http.attempts).isEmpty();
        assertThat(count(CacheResult.SHARED)).isEqualTo(5);
        awaitNothingHeld();
    }

    private void callOtherAndRespond(String envelope, String body, String... headers) throws InterruptedException {
        offerOther(envelope, Map.of());
        respond(otherHttp.next(), 200, body, headers);
        otherTransport.nextPublished().confirm();
    }

    @Test
    void identicalCallsShareOneAttemptIfTheLookupFindsNothing() throws Exception {
        startBoth(COALESCED_AND_SHARED, SharedTestData.PLAIN);
        store.answersLater = true;
        for (int i = 0; i < 5; i++) {
            offer(get("/a"));
        }
        store.unanswered.get(0).answer();

        respond(http.next(), 200, "body");

        for (int i = 0; i < 5; i++) {
            assertThat(answer().text()).isEqualTo("body");
        }
        assertThat(http.attempts).isEmpty();
        assertThat(count(CacheResult.COALESCED)).isEqualTo(4);
        awaitNothingHeld();
    }

    @Test
    void aBrokenStoreFailsNoCall() throws Exception {
        startBoth(SHARED, SharedTestData.PLAIN);
        store.fails = true;

        for (int i = 0; i < 30; i++) {
            assertThat(call(get("/" + i), 200, "body").text()).isEqualTo("body");
        }

        assertThat(lookups(SharedCacheResult.ERROR)).isEqualTo(10);
        assertThat(lookups(SharedCacheResult.SKIPPED)).isEqualTo(20);
        awaitNothingHeld();
    }

    @Test
    void aSilentStoreLetsACallWaitOnlyForTheTimeout() throws Exception {
        startBoth(SHARED, RecordCopy.with(SharedTestData.PLAIN, "timeout", Duration.ofMillis(20)));
        store.answersLater = true;

        assertThat(call(get("/a"), 200, "body").text()).isEqualTo("body");

        assertThat(lookups(SharedCacheResult.TIMEOUT)).isEqualTo(1);
        awaitNothingHeld();
    }

    @Test
    void aCallWhoseDeadlinePassesDuringTheLookupFailsAndTheNextOneMakesItsAttempt() throws Exception {
        startBoth(COALESCED_AND_SHARED, SharedTestData.PLAIN);
        store.answersLater = true;
        offer(get("/a", ",\"id\":\"first\",\"deadlineMs\":100"));
        offer(get("/a", ",\"id\":\"second\""));
        clock.advance(Duration.ofMillis(200));

        Answer first = answer();
        respond(http.next(), 200, "body");
        Answer second = answer();
        store.unanswered.get(0).answer();

        assertThat(first.id()).isEqualTo("first");
        assertThat(first.errorCode()).isEqualTo("deadline-exceeded");
        assertThat(second.text()).isEqualTo("body");
        awaitNothingHeld();
    }

    @Test
    void aCloseDuringALookupReturnsTheMessage() throws Exception {
        startBoth(SHARED, SharedTestData.PLAIN);
        store.answersLater = true;
        FakeDelivery delivery = offer(get("/a"));

        pipeline.close();

        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("released");
        store.unanswered.get(0).answer();
        assertThat(http.attempts).isEmpty();
    }

    @Test
    void anExpiredResponseOfAnotherNodeIsConfirmedByTheTarget() throws Exception {
        startBoth(SHARED, SharedTestData.PLAIN);
        call(get("/a"), 200, "body", "etag", "\"1\"", "cache-control", "max-age=10");
        clock.advance(Duration.ofSeconds(30));
        offerOther(get("/a"), Map.of());

        FakeExecutors.FakeAttempt attempt = otherHttp.next();
        assertThat(attempt.request().headers().toString()).contains("If-None-Match");
        respond(attempt, 304, "", "etag", "\"1\"");

        FakeTransport.PublishedMessage published = otherTransport.nextPublished();
        published.confirm();
        assertThat(published.answer().text()).isEqualTo("body");
        assertThat(published.answer().cache()).isEqualTo(new CacheUse(true, 0, false));
    }

    @Test
    void afterA304ForAnotherVersionNoNodeAsksForTheSharedVersionAgain() throws Exception {
        startBoth(SHARED, SharedTestData.PLAIN);
        call(get("/a"), 200, "body", "etag", "\"1\"", "cache-control", "max-age=10");
        clock.advance(Duration.ofSeconds(30));
        offerOther(get("/a"), Map.of());
        respond(otherHttp.next(), 304, "", "etag", "\"2\"");
        FakeTransport.PublishedMessage failed = otherTransport.nextPublished();
        failed.confirm();
        assertThat(failed.answer().errorCode()).isEqualTo("protocol-error");

        await().until(store.values::isEmpty);
        offerOther(get("/a"), Map.of());
        FakeExecutors.FakeAttempt attempt = otherHttp.next();
        assertThat(attempt.request().headers().toString()).doesNotContain("If-None-Match");
        respond(attempt, 200, "new");
        FakeTransport.PublishedMessage published = otherTransport.nextPublished();
        published.confirm();
        assertThat(published.answer().text()).isEqualTo("new");
    }

    @Test
    void aCallThatWantsANewResponseDoesNotLookItUp() throws Exception {
        startBoth(SHARED, SharedTestData.PLAIN);
        call(get("/a"), 200, "body");

        missOther(get("/a", ",\"headers\":{\"Cache-Control\":\"no-cache\"}"), Map.of());
    }

    @Test
    void aResponseThatMustNotBeStoredReplacesTheSharedOne() throws Exception {
        startBoth(SHARED, SharedTestData.PLAIN);
        call(get("/a"), 200, "body");
        offer(get("/a", ",\"headers\":{\"Cache-Control\":\"no-cache\"}"));
        respond(http.next(), 200, "private", "cache-control", "private");
        answer();

        await().until(store.values::isEmpty);
        missOther(get("/a"), Map.of());
    }
}
