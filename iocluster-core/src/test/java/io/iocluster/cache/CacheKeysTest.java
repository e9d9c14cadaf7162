package io.iocluster.cache;

import static io.iocluster.cache.CacheTestData.MINUTE;
import static io.iocluster.cache.CacheTestData.SOMEBODY;
import static io.iocluster.cache.CacheTestData.get;
import static io.iocluster.cache.CacheTestData.keyed;
import static io.iocluster.cache.CacheTestData.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.testkit.record.RecordCopy;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which requests share a response, and that no other request can be made to share it. */
class CacheKeysTest {

    private static final CacheSettings ID_ONLY = keyed(List.of("id"), List.of("accept"));

    static Stream<Arguments> differentRequests() {
        return Stream.of(
                Arguments.of(MINUTE, get("/a"), get("/b")),
                Arguments.of(MINUTE, get("/a?x=1"), get("/a?x=2")),
                Arguments.of(MINUTE, get("/a?x=1&y=2"), get("/a?y=2&x=1")),
                Arguments.of(MINUTE, get("/a"), request("HEAD", "/a", null)),
                Arguments.of(MINUTE, request("POST", "/a", "1"), request("POST", "/a", "2")),
                Arguments.of(MINUTE, request("POST", "/a", null), request("POST", "/a", "")),
                Arguments.of(MINUTE, get("/a"), to("https", "partner.example", 80)),
                Arguments.of(MINUTE, get("/a"), to("http", "partner.example", 8080)),
                Arguments.of(MINUTE, get("/a"), to("http", "other.example", 80)),
                // Headers: a value cannot imitate a second header, another name or the start of the body.
                Arguments.of(MINUTE, get("/a", "X-User", "1"), get("/a", "X-User", "2")),
                Arguments.of(MINUTE, get("/a", "X-User", "1"), get("/a")),
                Arguments.of(MINUTE, get("/a", "X", "1", "Y", "2"), get("/a", "X", "1Y2")),
                Arguments.of(MINUTE, get("/a", "X", "1, Y: 2"), get("/a", "X", "1", "Y", "2")),
                Arguments.of(MINUTE, get("/a", "X", "1", "X", "2"), get("/a", "X", "2", "X", "1")),
                Arguments.of(MINUTE, get("/a", "X", "1", "X", "2"), get("/a", "X", "1, 2")),
                Arguments.of(MINUTE, request("POST", "/a", "b", "X", "1"), request("POST", "/a", "", "X", "1b")),
                Arguments.of(MINUTE, get("/a", "Idempotency-Key", "1"), get("/a", "Idempotency-Key", "2")),
                // Parameters that a target may read as one of the key.
                Arguments.of(ID_ONLY, get("/a?id=1"), get("/a?id=2")),
                Arguments.of(ID_ONLY, get("/a?id=1"), get("/a?id=1&id=2")),
                Arguments.of(ID_ONLY, get("/a"), get("/a?%69d=2")),
                Arguments.of(ID_ONLY, get("/a"), get("/a?ID=2")),
                Arguments.of(ID_ONLY, get("/a"), get("/a?id[]=2")),
                Arguments.of(ID_ONLY, get("/a"), get("/a?+id=2")),
                Arguments.of(ID_ONLY, get("/a"), get("/a?utm=1;id=2")),
                Arguments.of(ID_ONLY, get("/a"), get("/a?id")),
                Arguments.of(ID_ONLY, get("/a?id=1&utm=2"), get("/a?id=1%26utm=2")),
                Arguments.of(ID_ONLY, get("/a?x=1"), get("/a%3Fx=1")),
                // Headers that identify a user or sign the request, although the key does not list them.
                Arguments.of(ID_ONLY, get("/a", "Accept", "1"), get("/a", "Accept", "2")),
                Arguments.of(ID_ONLY, get("/a", "Authorization", "1"), get("/a", "authorization", "2")),
                Arguments.of(ID_ONLY, get("/a", "Cookie", "1"), get("/a", "COOKIE", "2")),
                Arguments.of(ID_ONLY, get("/a", "X-Api-Key", "1"), get("/a", "X-Api-Key", "2")),
                Arguments.of(ID_ONLY, get("/a", "X-Auth-User", "1"), get("/a")),
                Arguments.of(ID_ONLY, get("/a", "X-Session-Id", "1"), get("/a")),
                Arguments.of(ID_ONLY, get("/a", "X-Csrf-Token", "1"), get("/a")),
                Arguments.of(ID_ONLY, get("/a", "Webhook-Signature", "1"), get("/a", "Webhook-Signature", "2")),
                Arguments.of(ID_ONLY, get("/a", "Accept-Encoding", "br"), get("/a")));
    }

    private static HttpRequest to(String scheme, String host, int port) {
        return new HttpRequest("GET", new TargetUrl(scheme, host, port, "/a"), List.of(), null);
    }

    @ParameterizedTest
    @MethodSource("differentRequests")
    void differentRequestsNeverShare(CacheSettings settings, HttpRequest one, HttpRequest other) {
        assertThat(CacheKeys.primary(settings, SOMEBODY, one))
                .isNotEqualTo(CacheKeys.primary(settings, SOMEBODY, other));
    }

    static Stream<Arguments> equalRequests() {
        return Stream.of(
                Arguments.of(MINUTE, get("/a?x=1", "A", "1", "B", "2"), get("/a?x=1", "b", "2", "a", "1")),
                Arguments.of(MINUTE, get("/a", "traceparent", "00-1"), get("/a", "traceparent", "00-2")),
                Arguments.of(MINUTE, get("/a", "Cache-Control", "no-cache"), get("/a")),
                Arguments.of(ID_ONLY, get("/a?id=1&utm=2"), get("/a?utm=3&id=1")),
                Arguments.of(ID_ONLY, get("/a", "X-Request-Id", "1"), get("/a", "X-Request-Id", "2")));
    }

    @ParameterizedTest
    @MethodSource("equalRequests")
    void requestsThatDifferOnlyBesideTheKeyShare(CacheSettings settings, HttpRequest one, HttpRequest other) {
        assertThat(CacheKeys.primary(settings, SOMEBODY, one)).isEqualTo(CacheKeys.primary(settings, SOMEBODY, other));
    }

    static Stream<CallIdentity> others() {
        return Stream.of(
                new CallIdentity("billing", "key", 1),
                new CallIdentity(null, "key", 1),
                new CallIdentity("", "key", 1),
                new CallIdentity("shop", "other-key", 1),
                new CallIdentity("shop", null, 0),
                new CallIdentity("shop", "key", 2),
                new CallIdentity("shopkey", "", 1));
    }

    @ParameterizedTest
    @MethodSource("others")
    void callsOfOthersNeverShare(CallIdentity other) {
        assertThat(CacheKeys.primary(MINUTE, SOMEBODY, get("/a")))
                .isNotEqualTo(CacheKeys.primary(MINUTE, other, get("/a")));
    }

    @Test
    void callsOfOtherAppsShareIfThatIsDeclared() {
        CacheSettings declared = RecordCopy.with(MINUTE, "shareAcross", List.of(CacheSharing.APPS));

        assertThat(CacheKeys.primary(declared, SOMEBODY, get("/a")))
                .isEqualTo(CacheKeys.primary(declared, new CallIdentity("billing", "key", 1), get("/a")))
                .isNotEqualTo(CacheKeys.primary(declared, new CallIdentity("shop", "other-key", 1), get("/a")));
    }

    @Test
    void callsWithOtherCredentialsShareIfThatIsDeclared() {
        CacheSettings declared = RecordCopy.with(MINUTE, "shareAcross", List.of(CacheSharing.CREDENTIALS));

        assertThat(CacheKeys.primary(declared, SOMEBODY, get("/a")))
                .isEqualTo(CacheKeys.primary(declared, new CallIdentity("shop", "other-key", 2), get("/a")))
                .isNotEqualTo(CacheKeys.primary(declared, new CallIdentity("billing", "key", 1), get("/a")));
    }

    @Test
    void aResponseThatWasStoredByANarrowerKeyIsNotFoundAfterTheKeyWasWidened() {
        assertThat(CacheKeys.primary(keyed(List.of("*"), List.of("accept")), SOMEBODY, get("/a")))
                .isNotEqualTo(CacheKeys.primary(MINUTE, SOMEBODY, get("/a")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Range", "If-Range", "If-Match", "if-none-match", "If-Modified-Since", "If-Unmodified-Since"})
    void conditionalAndRangeRequestsDoNotUseTheCache(String header) {
        assertThat(CacheKeys.isCacheable(MINUTE, get("/a", header, "x"))).isFalse();
    }

    @Test
    void onlyListedMethodsUseTheCache() {
        assertThat(CacheKeys.isCacheable(MINUTE, get("/a"))).isTrue();
        assertThat(CacheKeys.isCacheable(MINUTE, request("POST", "/a", "1"))).isFalse();
        assertThat(CacheKeys.isCacheable(
                        RecordCopy.with(MINUTE, "methods", List.of("POST")), request("POST", "/a", "1")))
                .isTrue();
    }
}
