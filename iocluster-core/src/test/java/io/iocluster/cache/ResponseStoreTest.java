package io.iocluster.cache;

import static io.iocluster.cache.CacheTestData.RFC;
import static io.iocluster.cache.CacheTestData.SOMEBODY;
import static io.iocluster.cache.CacheTestData.get;
import static io.iocluster.cache.CacheTestData.keyed;
import static io.iocluster.cache.CacheTestData.request;
import static io.iocluster.cache.CacheTestData.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.testkit.record.RecordCopy;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the memory limit of a store, the variants of a response, and what makes responses unusable. */
class ResponseStoreTest {

    private static final int LIMIT = 1 << 20;
    /** The key has no header, so only {@code Vary} tells requests apart. */
    private static final CacheSettings NO_HEADERS =
            RecordCopy.with(RFC, "key", keyed(List.of("*"), List.of()).key());

    private long nanos = 1;
    private final ResponseStore store = new ResponseStore(LIMIT, () -> nanos, () -> 0);

    private static CacheableRequest cached(String path, String... headers) {
        return CacheableRequest.of(NO_HEADERS, SOMEBODY, get(path, headers));
    }

    private void put(CacheableRequest cached, String body, String... headers) {
        store.store(cached, response(200, body, headers), nanos);
    }

    private String body(CacheableRequest cached) {
        StoredResponse found = store.find(cached);
        return found == null ? null : new String(found.body());
    }

    @Test
    void neverHoldsMoreThanItsLimit() {
        for (int i = 0; i < 10_000; i++) {
            put(cached("/" + i), "x".repeat(1_000));
        }

        assertThat(store.bytes()).isBetween(LIMIT / 2L, (long) LIMIT);
        assertThat(store.size()).isLessThan(LIMIT / 1_000);
        assertThat(store.evictions()).isGreaterThan(8_000);
    }

    @Test
    void storesNoResponseLargerThanAQuarterOfTheLimit() {
        put(cached("/small"), "kept");

        put(cached("/large"), "x".repeat(LIMIT / 4));

        assertThat(body(cached("/large"))).isNull();
        assertThat(body(cached("/small"))).isEqualTo("kept");
    }

    @Test
    void countsHeadersTowardsTheLimit() {
        put(cached("/"), "", "x", "y".repeat(100_000));

        assertThat(store.bytes()).isBetween(100_000L, 102_000L);
    }

    @Test
    void shrinksWhenItsLimitIsLowered() {
        for (int i = 0; i < 100; i++) {
            put(cached("/" + i), "x".repeat(1_000));
        }

        store.setMaxBytes(20_000);

        assertThat(store.bytes()).isLessThanOrEqualTo(20_000);
        assertThat(store.maxBytes()).isEqualTo(20_000);
    }

    @Test
    void findsTheVariantThatTheRequestHeadersSelect() {
        put(cached("/", "Accept-Language", "de"), "deutsch", "vary", "accept-language");
        put(cached("/", "Accept-Language", "en"), "english", "vary", "Accept-Language");

        assertThat(body(cached("/", "Accept-Language", "de"))).isEqualTo("deutsch");
        assertThat(body(cached("/", "accept-language", "en"))).isEqualTo("english");
        assertThat(body(cached("/", "Accept-Language", "fr"))).isNull();
        assertThat(body(cached("/"))).isNull();
        assertThat(body(cached("/", "Accept-Language", "de", "Accept-Language", "en")))
                .isNull();
    }

    @Test
    void findsNoVariantByOtherHeadersAfterTheTargetChangedWhatItVariesBy() {
        put(cached("/", "X-User", "1", "X-Plan", "free"), "of user 1", "vary", "x-user");
        put(cached("/", "X-User", "2", "X-Plan", "free"), "of free users", "vary", "x-plan");

        assertThat(body(cached("/", "X-User", "1", "X-Plan", "paid"))).isNull();
        assertThat(body(cached("/", "X-User", "3", "X-Plan", "free"))).isEqualTo("of free users");

        put(cached("/", "X-User", "4"), "of user 4", "vary", "x-user, x-plan");

        assertThat(body(cached("/", "X-User", "1", "X-Plan", "free"))).isNull();
        assertThat(body(cached("/", "X-User", "4"))).isEqualTo("of user 4");
    }

    @Test
    void aResponseThatVariesByAHeaderOfTheCredentialIsNotFoundWithAnotherCredential() {
        CacheSettings shared = RecordCopy.with(RFC, "shareAcross", List.of(CacheSharing.CREDENTIALS));
        CacheableRequest one = CacheableRequest.of(shared, new CallIdentity("shop", "one", 1), get("/"));
        CacheableRequest other = CacheableRequest.of(shared, new CallIdentity("shop", "other", 2), get("/"));

        put(one, "of one", "vary", "x-tenant, accept-encoding");
        assertThat(body(one)).isEqualTo("of one");
        assertThat(body(other)).isNull();

        put(one, "of all", "vary", "accept-encoding");
        assertThat(body(other)).isEqualTo("of all");
    }

    @Test
    void theTargetSeesAtMostFifteenPercentOfCallsWhoseKeysFollowZipfsLaw() {
        int keys = 10_000;
        int calls = 70_000;
        ResponseStore large = new ResponseStore(16L << 20, () -> nanos, () -> 0);
        double[] cumulative = new double[keys];
        double total = 0;
        for (int i = 0; i < keys; i++) {
            total += 1.0 / (i + 1);
            cumulative[i] = total;
        }
        SplittableRandom random = new SplittableRandom(17);
        int seen = 0;
        for (int i = 0; i < calls; i++) {
            int at = Arrays.binarySearch(cumulative, random.nextDouble() * total);
            CacheableRequest cached = cached("/?key=" + (at < 0 ? -at - 1 : at));
            if (large.find(cached) == null) {
                seen++;
                large.store(cached, response(200, "x".repeat(200)), nanos);
            }
        }

        assertThat(seen).isBetween(calls / 20, calls * 15 / 100);
        assertThat(large.evictions()).isZero();
    }

    @Test
    void aNameInVaryCannotImitateTwo() {
        put(cached("/", "a", "1", "b", "2"), "two", "vary", "a, b");

        put(cached("/x", "a", "1b2"), "one", "vary", "a");

        assertThat(body(cached("/", "a", "1b2"))).isNull();
    }

    @Test
    void aChangeOfAResourceMakesItsResponsesUnusableAndThoseUnderWay() {
        put(cached("/a?x=1"), "old");
        put(cached("/b"), "other");
        long requested = nanos;
        nanos += 10;

        store.invalidate(request("DELETE", "/a", null));
        store.store(cached("/a"), response(200, "under way"), requested);

        assertThat(body(cached("/a?x=1"))).isNull();
        assertThat(body(cached("/a"))).isNull();
        assertThat(body(cached("/b"))).isEqualTo("other");
        nanos += 10;
        put(cached("/a"), "new");
        assertThat(body(cached("/a"))).isEqualTo("new");
    }

    @Test
    void afterItIsClearedItStoresNoResponseThatWasUnderWay() {
        put(cached("/a"), "old");
        long requested = nanos;
        nanos += 10;

        store.clear();
        store.store(cached("/b"), response(200, "under way"), requested);

        assertThat(store.size()).isZero();
    }

    @Test
    void aResponseThatMayNotBeStoredReplacesTheEarlierOneUnlessTheTargetFails() {
        put(cached("/"), "old");

        store.store(cached("/"), response(503, "down"), nanos);
        assertThat(body(cached("/"))).isEqualTo("old");

        put(cached("/"), "secret", "cache-control", "no-store");
        assertThat(body(cached("/"))).isNull();
    }

    @Test
    void keepsAResponseForItsOwnTimeIfItReplacesAnother() {
        put(cached("/"), "old");
        put(cached("/varied", "Accept-Language", "de"), "deutsch", "vary", "accept-language");
        nanos += TimeUnit.MINUTES.toNanos(50);
        put(cached("/"), "new");
        put(cached("/varied", "Accept-Language", "en"), "english", "vary", "accept-language");

        nanos += TimeUnit.MINUTES.toNanos(50);

        assertThat(body(cached("/"))).isEqualTo("new");
        assertThat(body(cached("/varied", "Accept-Language", "en"))).isEqualTo("english");
    }

    @Test
    void forgetsExpiredResponses() {
        put(cached("/"), "old");
        nanos += TimeUnit.HOURS.toNanos(2);

        put(cached("/other"), "new");

        assertThat(body(cached("/"))).isNull();
    }

    @Test
    void aConfirmedResponseHasTheNewHeadersAndItsOwnContent() {
        CacheableRequest cached = cached("/");
        put(cached, "body", "etag", "\"1\"", "x", "1", "content-length", "4", "age", "9");
        StoredResponse stored = store.find(cached);

        assertThat(stored.updatedBy(response(304, "", "etag", "W/\"1\"", "x", "2", "content-length", "0"))
                        .headers())
                .isEqualTo(CacheTestData.headers("content-length", "4", "etag", "W/\"1\"", "x", "2"));
        assertThat(stored.isConfirmedBy(CacheTestData.headers("etag", "W/\"1\"")))
                .isTrue();
        assertThat(stored.isConfirmedBy(CacheTestData.headers())).isTrue();
        assertThat(stored.isConfirmedBy(CacheTestData.headers("etag", "\"2\""))).isFalse();
    }
}
