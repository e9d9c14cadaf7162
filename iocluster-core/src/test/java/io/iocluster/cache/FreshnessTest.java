package io.iocluster.cache;

import static io.iocluster.cache.CacheTestData.MINUTE;
import static io.iocluster.cache.CacheTestData.RFC;
import static io.iocluster.cache.CacheTestData.SOMEBODY;
import static io.iocluster.cache.CacheTestData.get;
import static io.iocluster.cache.CacheTestData.request;
import static io.iocluster.cache.CacheTestData.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which responses are stored, and for how many seconds they answer further requests (RFC 9111). */
class FreshnessTest {

    private static final long NOT_STORED = -1;
    private static final long STORED_BUT_NOT_FRESH = 0;
    /** Sun, 15 Jun 2025 15:06:40 GMT. */
    private static final long NOW_MILLIS = 1_750_000_000_000L;

    private static final String NOW = "Sun, 15 Jun 2025 15:06:40 GMT";
    private static final String MINUTE_LATER = "Sun, 15 Jun 2025 15:07:40 GMT";
    private static final String MINUTE_EARLIER = "Sun, 15 Jun 2025 15:05:40 GMT";

    private long nanos = 1;
    private final ResponseStore store =
            new ResponseStore(1 << 20, () -> nanos, () -> NOW_MILLIS + TimeUnit.NANOSECONDS.toMillis(nanos));

    static Stream<Arguments> responses() {
        return Stream.of(
                // Section 4.2.1: the lifetime. The ttl is an hour.
                rfc(3_600),
                rfc(60, "cache-control", "max-age=60"),
                rfc(3_600, "cache-control", "max-age=86400"),
                rfc(60, "cache-control", "MAX-AGE=60 , public"),
                rfc(60, "cache-control", "max-age=\"60\""),
                rfc(90, "cache-control", "max-age=60, s-maxage=90"),
                rfc(30, "cache-control", "s-maxage=30", "cache-control", "max-age=60"),
                rfc(60, "expires", MINUTE_LATER, "date", NOW),
                rfc(60, "expires", MINUTE_LATER),
                rfc(90, "cache-control", "max-age=90", "expires", MINUTE_LATER),
                rfc(NOT_STORED, "expires", MINUTE_EARLIER, "date", NOW),
                rfc(NOT_STORED, "expires", "0"),
                rfc(NOT_STORED, "expires", MINUTE_LATER, "expires", MINUTE_LATER),
                rfc(NOT_STORED, "cache-control", "max-age=0"),
                rfc(NOT_STORED, "cache-control", "max-age=soon"),
                rfc(NOT_STORED, "cache-control", "max-age"),
                rfc(NOT_STORED, "cache-control", "max-age=-1"),
                rfc(30, "cache-control", "max-age=60, max-age=30"),
                rfc(3_600, "cache-control", "max-age=99999999999999999999"),
                // Section 4.2.3: the age on arrival.
                rfc(50, "cache-control", "max-age=60", "age", "10"),
                rfc(NOT_STORED, "cache-control", "max-age=60", "age", "60"),
                rfc(NOT_STORED, "cache-control", "max-age=60", "age", "old"),
                rfc(50, "cache-control", "max-age=60", "age", "5", "age", "10"),
                rfc(30, "cache-control", "max-age=90", "date", MINUTE_EARLIER),
                rfc(90, "cache-control", "max-age=90", "date", MINUTE_LATER),
                rfc(90, "cache-control", "max-age=90", "date", "yesterday"),
                // Section 3: what is not stored.
                rfc(NOT_STORED, "cache-control", "no-store"),
                rfc(NOT_STORED, "cache-control", "max-age=60, no-store"),
                rfc(NOT_STORED, "cache-control", "x=\"a, b\", no-store"),
                rfc(NOT_STORED, "cache-control", "x=\"a\\\", b\",no-store"),
                rfc(NOT_STORED, "cache-control", "x=\"a", "cache-control", "No-Store"),
                rfc(60, "cache-control", "x=\"a, no-store\", max-age=60"),
                rfc(NOT_STORED, "cache-control", "private"),
                rfc(NOT_STORED, "cache-control", "max-age=60, private=\"x-user\""),
                rfc(NOT_STORED, "set-cookie", "session=1"),
                rfc(NOT_STORED, "vary", "*"),
                rfc(NOT_STORED, "vary", "Accept", "vary", "Origin, *"),
                rfc(NOT_STORED, "vary", "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q"),
                // Section 5.2.2.4: stored, but confirmed before each use.
                rfc(STORED_BUT_NOT_FRESH, "cache-control", "no-cache", "etag", "\"1\""),
                rfc(STORED_BUT_NOT_FRESH, "cache-control", "no-cache=\"x\", max-age=60", "etag", "\"1\""),
                rfc(NOT_STORED, "cache-control", "no-cache"),
                rfc(STORED_BUT_NOT_FRESH, "cache-control", "max-age=0", "last-modified", NOW),
                // Statuses.
                of(RFC, get("/"), response(301, "", "location", "/b"), 3_600),
                of(RFC, get("/"), response(206, "part"), NOT_STORED),
                of(RFC, get("/"), response(302, ""), NOT_STORED),
                of(RFC, get("/"), response(500, ""), NOT_STORED),
                of(RFC, get("/"), response(404, ""), NOT_STORED),
                of(negative(RFC), get("/"), response(404, ""), 5),
                of(negative(RFC), get("/"), response(404, "", "cache-control", "max-age=3"), 3),
                of(negative(RFC), get("/"), response(500, ""), NOT_STORED),
                // Settings that do not respect the headers.
                of(MINUTE, get("/"), response(200, "", "cache-control", "no-store, max-age=1"), 60),
                of(MINUTE, get("/"), response(200, "", "expires", "0", "age", "100"), 60),
                of(MINUTE, get("/", "Cache-Control", "no-store"), response(200, ""), 60),
                of(MINUTE, get("/"), response(200, "", "set-cookie", "session=1"), NOT_STORED),
                of(MINUTE, get("/"), response(200, "", "vary", "*"), NOT_STORED),
                // Section 5.2.1: what the caller accepts.
                of(RFC, get("/", "Cache-Control", "no-cache"), response(200, ""), STORED_BUT_NOT_FRESH),
                of(RFC, get("/", "Pragma", "no-cache"), response(200, ""), STORED_BUT_NOT_FRESH),
                of(RFC, get("/", "Pragma", "no-cache", "Cache-Control", "max-age=9"), response(200, ""), 10),
                of(RFC, get("/", "Cache-Control", "max-age=9"), response(200, ""), 10),
                of(RFC, get("/", "Cache-Control", "min-fresh=600"), response(200, ""), 3_001),
                // Section 3.5: a credential, if responses are shared across credentials.
                of(acrossCredentials(), authenticated(), response(200, ""), NOT_STORED),
                of(acrossCredentials(), authenticated(), response(200, "", "cache-control", "max-age=60"), NOT_STORED),
                of(acrossCredentials(), authenticated(), response(200, "", "cache-control", "public"), 3_600),
                of(acrossCredentials(), authenticated(), response(200, "", "cache-control", "s-maxage=60"), 60),
                of(
                        acrossCredentials(),
                        authenticated(),
                        response(200, "", "cache-control", "must-revalidate, max-age=60"),
                        60),
                of(RFC, authenticated(), response(200, ""), 3_600));
    }

    private static Arguments rfc(long seconds, String... headers) {
        return of(RFC, get("/"), response(200, "body", headers), seconds);
    }

    private static Arguments of(CacheSettings settings, HttpRequest request, Response response, long seconds) {
        return Arguments.of(settings, request, response, seconds);
    }

    private static CacheSettings negative(CacheSettings settings) {
        return RecordCopy.with(settings, "negativeTtl", Duration.ofSeconds(5));
    }

    private static CacheSettings acrossCredentials() {
        return RecordCopy.with(RFC, "shareAcross", List.of(CacheSharing.CREDENTIALS));
    }

    private static HttpRequest authenticated() {
        return get("/").withCredential("key");
    }

    @ParameterizedTest
    @MethodSource("responses")
    void aResponseIsUsedForAsLongAsItsHeadersAndTheSettingsAllow(
            CacheSettings settings, HttpRequest request, Response response, long seconds) {
        CacheableRequest cached = CacheableRequest.of(settings, SOMEBODY, request);

        store.store(cached, response, nanos);

        assertThat(freshSeconds(cached)).isEqualTo(seconds);
    }

    /** Returns for how many whole seconds the stored response is fresh, within two hours. */
    private long freshSeconds(CacheableRequest cached) {
        StoredResponse stored = store.find(cached);
        if (stored == null) {
            return NOT_STORED;
        }
        long second = 0;
        while (second < 7_200 && stored.isFresh(cached, nanos + TimeUnit.SECONDS.toNanos(second))) {
            second++;
        }
        return second;
    }

    @Test
    void aRequestThatForbidsStoringDoesNotUseTheCache() {
        assertThat(CacheableRequest.of(RFC, SOMEBODY, get("/", "Cache-Control", "no-store")))
                .isNull();
    }

    @Test
    void timeThatTheResponseWasUnderWayCountsForItsAge() {
        CacheableRequest cached = CacheableRequest.of(RFC, SOMEBODY, get("/"));
        long requested = nanos;
        nanos += TimeUnit.SECONDS.toNanos(20);

        store.store(cached, response(200, "", "cache-control", "max-age=60", "age", "10"), requested);

        assertThat(store.find(cached).ageNanos(nanos)).isEqualTo(TimeUnit.SECONDS.toNanos(30));
        assertThat(freshSeconds(cached)).isEqualTo(30);
    }

    @Test
    void anAgeOfManyDigitsIsOld() {
        CacheableRequest cached = CacheableRequest.of(RFC, SOMEBODY, get("/"));
        long requested = nanos;
        nanos += TimeUnit.SECONDS.toNanos(1);

        store.store(cached, response(200, "", "cache-control", "max-age=60", "age", "9999999999"), requested);

        assertThat(freshSeconds(cached)).isEqualTo(NOT_STORED);
    }

    @Test
    void aDateLongAgoIsOld() {
        CacheSettings settings = RecordCopy.with(RFC, "staleIfError", Duration.ofMinutes(5));
        CacheableRequest cached = CacheableRequest.of(settings, SOMEBODY, get("/"));

        store.store(cached, response(200, "", "date", "Mon, 01 Jan 0001 00:00:00 GMT", "etag", "\"1\""), nanos);
        nanos += TimeUnit.SECONDS.toNanos(1);

        assertThat(store.find(cached).ageNanos(nanos)).isGreaterThan(TimeUnit.DAYS.toNanos(10_000));
    }

    @Test
    void aStoredResponseHasItsAge() {
        CacheableRequest cached = CacheableRequest.of(RFC, SOMEBODY, get("/"));
        store.store(cached, response(200, "b", "age", "10", "x", "1"), nanos);
        nanos += TimeUnit.SECONDS.toNanos(7);

        Response used = store.find(cached).toResponse(nanos);

        assertThat(used.headers()).isEqualTo(CacheTestData.headers("x", "1", "age", "17"));
        assertThat(used.body()).isEqualTo("b".getBytes());
    }

    @Test
    void aTruncatedResponseIsNotStored() {
        CacheableRequest cached = CacheableRequest.of(RFC, SOMEBODY, get("/"));
        Response whole = response(200, "b");

        store.store(cached, new Response(200, List.of(), whole.body(), true, whole.timing()), nanos);

        assertThat(store.find(cached)).isNull();
    }

    @Test
    void aShorterTtlAppliesToWhatIsStored() {
        store.store(CacheableRequest.of(RFC, SOMEBODY, get("/")), response(200, ""), nanos);
        CacheSettings shorter = RecordCopy.with(RFC, "ttl", Duration.ofSeconds(10));

        assertThat(freshSeconds(CacheableRequest.of(shorter, SOMEBODY, get("/"))))
                .isEqualTo(10);
    }

    static Stream<Arguments> expired() {
        return Stream.of(
                Arguments.of("max-age=60", 100, true),
                Arguments.of("max-age=60", 359, true),
                Arguments.of("max-age=60", 361, false),
                Arguments.of("max-age=60, must-revalidate", 100, false),
                Arguments.of("max-age=60, proxy-revalidate", 100, false),
                Arguments.of("s-maxage=60", 100, false),
                Arguments.of("no-cache", 1, false));
    }

    @ParameterizedTest
    @MethodSource("expired")
    void anExpiredResponseMayBeUsedOnErrorUnlessItForbidsThat(String control, long afterSeconds, boolean usable) {
        CacheSettings settings = RecordCopy.with(RFC, "staleIfError", Duration.ofMinutes(5));
        CacheableRequest cached = CacheableRequest.of(settings, SOMEBODY, get("/"));
        store.store(cached, response(200, "", "cache-control", control, "etag", "\"1\""), nanos);
        nanos += TimeUnit.SECONDS.toNanos(afterSeconds);

        StoredResponse stored = store.find(cached);

        assertThat(stored.isFresh(cached, nanos)).isFalse();
        assertThat(stored.isUsableOnError(cached, nanos)).isEqualTo(usable);
    }

    @Test
    void aPostIsStoredOnlyIfItIsListed() {
        assertThat(CacheableRequest.of(RFC, SOMEBODY, request("POST", "/", "q")))
                .isNull();
        CacheSettings listed = RecordCopy.with(RFC, "methods", List.of("POST"));
        CacheableRequest cached = CacheableRequest.of(listed, SOMEBODY, request("POST", "/", "q"));

        store.store(cached, response(200, "found"), nanos);

        assertThat(store.find(cached)).isNotNull();
        assertThat(store.find(CacheableRequest.of(listed, SOMEBODY, request("POST", "/", "other"))))
                .isNull();
    }
}
