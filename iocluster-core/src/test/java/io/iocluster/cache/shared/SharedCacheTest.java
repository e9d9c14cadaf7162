package io.iocluster.cache.shared;

import static io.iocluster.cache.shared.SharedTestData.GENERATION;
import static io.iocluster.cache.shared.SharedTestData.KEYED;
import static io.iocluster.cache.shared.SharedTestData.MINUTE;
import static io.iocluster.cache.shared.SharedTestData.PLAIN;
import static io.iocluster.cache.shared.SharedTestData.request;
import static io.iocluster.cache.shared.SharedTestData.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.iocluster.cache.CacheSettings;
import io.iocluster.cache.CacheableRequest;
import io.iocluster.cache.CallIdentity;
import io.iocluster.cache.ResponseStore;
import io.iocluster.cache.StoredResponse;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.time.ClockedPlatform;
import io.iocluster.testkit.time.FakeClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the limits of lookups and writes, with a store and a clock that the test controls. */
class SharedCacheTest {

    private final AtomicLong nanos = new AtomicLong(1_000_000_000_000L);
    private final FakeStore store = new FakeStore();
    private final SharedCache cache =
            new SharedCache(store, new ClockedPlatform(new FakeClock(nanos::get, this::wallMillis)));

    @AfterEach
    void close() {
        cache.close();
    }

    private long wallMillis() {
        return 1_700_000_000_000L + nanos.get() / 1_000_000;
    }

    private ResponseStore newMemory() {
        return new ResponseStore(1 << 20, nanos::get, this::wallMillis);
    }

    private void start(SharedCacheSettings settings) {
        cache.applySettings(settings, GENERATION);
    }

    private void advance(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    /** Stores a response on one node, and shares it. */
    private void share(SharedRequest request, String body, String... headers) {
        StoredResponse stored = newMemory().store(request.local(), response(200, body, headers), nanos.get());
        cache.store(request, stored);
    }

    private CompletableFuture<StoredResponse> startLookup(SharedRequest request, ResponseStore memory) {
        CompletableFuture<StoredResponse> found = new CompletableFuture<>();
        cache.reserve(request).start(memory, found::complete);
        return found;
    }

    /** Looks up on another node. */
    private String lookUp(SharedRequest request) {
        StoredResponse found = startLookup(request, newMemory()).join();
        return found == null ? null : new String(found.body());
    }

    private long count(SharedCacheResult result) {
        return cache.status().orElseThrow().lookups().get(result);
    }

    private long count(SharedWriteResult result) {
        return cache.status().orElseThrow().writes().get(result);
    }

    @Test
    void anotherNodeFindsAResponseWithItsAge() {
        start(PLAIN);
        share(request("/a"), "body", "content-type", "text/plain");
        advance(Duration.ofSeconds(20));

        StoredResponse found = startLookup(request("/a"), newMemory()).join();

        assertThat(found.body()).asString().isEqualTo("body");
        assertThat(found.ageNanos(nanos.get())).isEqualTo(Duration.ofSeconds(20).toNanos());
        assertThat(found.isFresh(request("/a").local(), nanos.get())).isTrue();
        assertThat(store.ttls.values()).containsExactly(Duration.ofMinutes(1));
        assertThat(count(SharedCacheResult.HIT)).isEqualTo(1);
        assertThat(lookUp(request("/b"))).isNull();
        assertThat(count(SharedCacheResult.MISS)).isEqualTo(1);
    }

    @Test
    void aFoundResponseIsStoredInTheNode() {
        start(PLAIN);
        share(request("/a"), "body");
        ResponseStore memory = newMemory();

        startLookup(request("/a"), memory).join();

        assertThat(memory.find(request("/a").local()).body()).asString().isEqualTo("body");
    }

    @Test
    void theHeadersThatTheResponseVariesBySelectIt() {
        start(PLAIN);
        CacheSettings keyed = RecordCopy.with(MINUTE, "key", RecordCopy.with(MINUTE.key(), "headers", List.of("x-a")));
        SharedRequest german = with(keyed, request("/a", "Accept-Language", "de"));
        SharedRequest french = with(keyed, request("/a", "Accept-Language", "fr"));
        share(german, "Hallo", "vary", "Accept-Language");
        share(french, "Bonjour", "vary", "Accept-Language");

        assertThat(lookUp(german)).isEqualTo("Hallo");
        assertThat(lookUp(french)).isEqualTo("Bonjour");
        assertThat(lookUp(with(keyed, request("/a", "Accept-Language", "it")))).isNull();
        assertThat(store.values).hasSize(3);
    }

    private static SharedRequest with(CacheSettings settings, SharedRequest request) {
        CacheableRequest local = CacheableRequest.of(
                settings, request.local().identity(), request.local().request());
        return new SharedRequest("partner", local, local.onAllNodes(0));
    }

    @Test
    void aResponseThatItsReaderWouldNotStoreIsRefused() {
        start(PLAIN);
        SharedRequest lenient = with(RecordCopy.with(MINUTE, "negativeTtl", Duration.ofMinutes(1)), request("/a"));
        StoredResponse stored = newMemory().store(lenient.local(), response(404, "none"), nanos.get());
        cache.store(lenient, stored);

        assertThat(lookUp(request("/a"))).isNull();
        assertThat(count(SharedCacheResult.REFUSED)).isEqualTo(1);
    }

    @Test
    void aValueThatOthersWroteIsRefused() {
        start(KEYED);
        share(request("/a"), "body");
        store.values.replaceAll((key, value) -> "forged".getBytes());

        assertThat(lookUp(request("/a"))).isNull();
        assertThat(count(SharedCacheResult.REFUSED)).isEqualTo(1);
        assertThat(cache.status().orElseThrow().breakerOpen()).isFalse();
    }

    @Test
    void aValueLargerThanAllowedIsReadOnlyAsFarAsNeeded() {
        start(RecordCopy.with(PLAIN, "maxValueBytes", new DataSize(2_048)));
        share(request("/a"), "body");
        store.values.replaceAll((key, value) -> new byte[1 << 20]);

        assertThat(lookUp(request("/a"))).isNull();
        assertThat(count(SharedCacheResult.REFUSED)).isEqualTo(1);
    }

    @Test
    void aResponseFromTheFutureIsRefused() {
        start(PLAIN);
        SharedRequest request = request("/a");
        ResponseStore ahead = new ResponseStore(1 << 20, nanos::get, () -> wallMillis() + 60_000);
        SharedCache other =
                new SharedCache(store, new ClockedPlatform(new FakeClock(nanos::get, () -> wallMillis() + 60_000)));
        other.applySettings(PLAIN, GENERATION);
        other.store(request, ahead.store(request.local(), response(200, "body"), nanos.get()));
        other.close();

        assertThat(lookUp(request)).isNull();
    }

    @Test
    void aDefectWhileTheNodeStoresWhatItFoundEndsTheLookup() {
        start(PLAIN);
        share(request("/a"), "body");
        ResponseStore broken = new ResponseStore(1 << 20, nanos::get, () -> {
            throw new IllegalStateException("no clock");
        });

        CompletableFuture<StoredResponse> found = startLookup(request("/a"), broken);

        assertThat(found).isDone();
        assertThat(found.join()).isNull();
        assertThat(cache.status().orElseThrow().inFlight()).isZero();
        assertThat(count(SharedCacheResult.ERROR)).isEqualTo(1);
    }

    @Test
    void aResponseFromBeforeAChangeThroughThisNodeIsRefused() {
        start(PLAIN);
        share(request("/a"), "old");
        advance(Duration.ofSeconds(1));
        ResponseStore memory = newMemory();
        memory.invalidate(request("/a").local().request());

        assertThat(startLookup(request("/a"), memory).join()).isNull();
        advance(Duration.ofSeconds(10));
        share(request("/a"), "new");
        assertThat(startLookup(request("/a"), memory).join().body()).asString().isEqualTo("new");
    }

    @Test
    void aResponseThatIsFoundWhileTheNodeClearsItsCacheIsRefused() {
        start(PLAIN);
        share(request("/a"), "old");
        store.answersLater = true;
        ResponseStore memory = newMemory();
        CompletableFuture<StoredResponse> found = startLookup(request("/a"), memory);
        memory.clear();

        store.unanswered.get(0).answer();

        assertThat(found.join()).isNull();
        assertThat(memory.find(request("/a").local())).isNull();
    }

    @ParameterizedTest
    @CsvSource({"Authorization, Bearer abc", "Cookie, session=1", "X-Api-Key, abc", "X-Session, 1"})
    void aRequestWithASecretIsSharedOnlyWithTheSecretOfTheNodes(String header, String value) {
        start(PLAIN);
        assertThat(cache.reserve(request("/a", header, value))).isNull();
        share(request("/a", header, value), "body");
        assertThat(store.values).isEmpty();

        start(KEYED);
        share(request("/a", header, value), "body");
        assertThat(lookUp(request("/a", header, value))).isEqualTo("body");
    }

    @Test
    void aRequestWithACredentialOrASecretParameterIsSharedOnlyWithTheSecretOfTheNodes() {
        start(PLAIN);

        assertThat(cache.reserve(request(new CallIdentity("shop", "key", 1), "key", "/a")))
                .isNull();
        assertThat(cache.reserve(request("/a?page=1&api_key=abc"))).isNull();
        assertThat(cache.reserve(request("/a?page=1"))).isNotNull();
    }

    @Test
    void aSlowStoreLetsNoCallWaitLongerThanTheTimeout() {
        start(RecordCopy.with(PLAIN, "timeout", Duration.ofMillis(20)));
        store.answersLater = true;

        assertThat(lookUp(request("/a"))).isNull();

        assertThat(count(SharedCacheResult.TIMEOUT)).isEqualTo(1);
        assertThat(store.unanswered.get(0).future()).isCancelled();
        assertThat(cache.status().orElseThrow().inFlight()).isZero();
    }

    @Test
    void noCallWaitsWhileTheBreakerIsOpen() {
        try (CapturedLog log = CapturedLog.of(SharedSession.class, Level.INFO)) {
            start(PLAIN);
            store.fails = true;
            for (int i = 0; i < 10; i++) {
                assertThat(lookUp(request("/a"))).isNull();
            }

            assertThat(cache.reserve(request("/a"))).isNull();
            assertThat(count(SharedCacheResult.ERROR)).isEqualTo(10);
            assertThat(count(SharedCacheResult.SKIPPED)).isEqualTo(1);
            assertThat(cache.status().orElseThrow().breakerOpen()).isTrue();
            assertThat(cache.status().orElseThrow().reason()).contains("store is broken");
            share(request("/a"), "body");
            assertThat(count(SharedWriteResult.SKIPPED)).isEqualTo(1);

            store.fails = false;
            advance(Duration.ofSeconds(2));
            assertThat(lookUp(request("/a"))).isNull();

            assertThat(cache.status().orElseThrow().breakerOpen()).isFalse();
            assertThat(cache.status().orElseThrow().reason()).isNull();
            assertThat(log.messages()).hasSize(3);
            assertThat(log.messages().get(0)).contains("Shared cache connected");
            assertThat(log.messages().get(1)).contains("Shared cache not usable");
            assertThat(log.messages().get(2)).contains("usable again").contains("after=2000ms");
        }
    }

    @Test
    void anOutageSoonAfterAnotherOneIsLoggedAsSoonAsALineIsDue() {
        try (CapturedLog log = CapturedLog.of(SharedSession.class, Level.INFO)) {
            start(PLAIN);
            store.listeners.get(0).disconnected("first");
            store.listeners.get(0).connected();
            advance(Duration.ofSeconds(1));
            store.listeners.get(0).disconnected("second");
            assertThat(cache.reserve(request("/a"))).isNull();
            assertThat(log.messages()).last(STRING).contains("usable again");

            advance(Duration.ofSeconds(10));
            assertThat(cache.reserve(request("/a"))).isNull();
            assertThat(cache.reserve(request("/a"))).isNull();

            assertThat(log.messages()).hasSize(4);
            assertThat(log.messages()).last(STRING).contains("not usable", "reason=\"second\" suppressed=1");
        }
    }

    @Test
    void noCallWaitsWhileTheStoreIsNotConnected() {
        start(PLAIN);
        store.listeners.get(0).disconnected("connection refused");

        assertThat(cache.reserve(request("/a"))).isNull();
        assertThat(cache.status().orElseThrow().connected()).isFalse();
        assertThat(cache.status().orElseThrow().reason()).isEqualTo("connection refused");

        store.listeners.get(0).connected();
        assertThat(lookUp(request("/a"))).isNull();
        assertThat(count(SharedCacheResult.MISS)).isEqualTo(1);
    }

    @Test
    void lookupsUnderWayAreLimited() {
        start(RecordCopy.with(PLAIN, "maxInFlight", 2));
        store.answersLater = true;
        CompletableFuture<StoredResponse> first = startLookup(request("/a"), newMemory());
        startLookup(request("/b"), newMemory());

        assertThat(cache.reserve(request("/c"))).isNull();
        store.unanswered.get(0).answer();
        first.join();
        SharedLookup reserved = cache.reserve(request("/c"));
        assertThat(reserved).isNotNull();
        reserved.cancel();
        assertThat(cache.status().orElseThrow().inFlight()).isEqualTo(1);
    }

    @Test
    void theCountOfLookupsUnderWayIsExactWhileTheConnectionIsLostAgainAndAgain() throws Exception {
        start(RecordCopy.with(PLAIN, "maxInFlight", 1));
        SharedRequest request = request("/a");
        assertThat(cache.reserve(request)).isNotNull();
        AtomicBoolean over = new AtomicBoolean();
        Thread flapping = new Thread(() -> {
            while (!over.get()) {
                store.listeners.get(0).disconnected("connection reset");
                store.listeners.get(0).connected();
            }
        });
        flapping.start();

        int reserved = 0;
        for (int i = 0; i < 200_000; i++) {
            reserved += cache.reserve(request) == null ? 0 : 1;
        }
        over.set(true);
        flapping.join();

        assertThat(reserved).isZero();
        assertThat(cache.status().orElseThrow().inFlight()).isEqualTo(1);
    }

    @Test
    void writesUnderWayAreLimitedByNumberAndBytes() {
        start(RecordCopy.with(PLAIN, "maxInFlight", 2, "maxWriteBytes", new DataSize(4_096)));
        store.answersLater = true;
        share(request("/a"), "x".repeat(3_000));
        share(request("/b"), "x".repeat(3_000));
        share(request("/c"), "small");
        share(request("/d"), "small");

        assertThat(store.values).hasSize(2);
        assertThat(count(SharedWriteResult.SKIPPED)).isEqualTo(2);
        store.unanswered.forEach(FakeStore.UnansweredOperation::answer);
        await().until(() -> cache.status().orElseThrow().writesInFlight() == 0);
        assertThat(count(SharedWriteResult.WRITTEN)).isEqualTo(2);
    }

    @Test
    void otherSettingsOpenAnotherConnectionAndEqualOnesDoNot() {
        start(PLAIN);
        start(PLAIN);
        assertThat(store.listeners).hasSize(1);

        start(KEYED);
        assertThat(store.listeners).hasSize(2);
        assertThat(store.closed).hasValue(1);

        start(SharedCacheSettings.DEFAULTS);
        assertThat(store.closed).hasValue(2);
        assertThat(cache.status()).isEmpty();
        assertThat(cache.reserve(request("/a"))).isNull();
    }
}
