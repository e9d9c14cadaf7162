package io.iocluster.cache.shared;

import static io.iocluster.cache.CacheTestData.headers;

import io.iocluster.cache.CacheSettings;
import io.iocluster.cache.CacheableRequest;
import io.iocluster.cache.CallIdentity;
import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.http.TlsSettings;
import io.iocluster.testkit.record.RecordCopy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Settings, requests and responses for tests of the shared cache. */
public final class SharedTestData {

    /** A cache for a minute that nodes share. */
    public static final CacheSettings MINUTE =
            RecordCopy.with(CacheSettings.DEFAULTS, "ttl", Duration.ofMinutes(1), "shared", true);

    /** A store without a secret. Its timeout is longer than a test. */
    public static final SharedCacheSettings PLAIN = RecordCopy.with(
            SharedCacheSettings.DEFAULTS,
            "redis",
            new RedisSettings("redis://cache.example", "", "", TlsSettings.DEFAULTS),
            "timeout",
            Duration.ofSeconds(5));

    /** A store with a secret. */
    public static final SharedCacheSettings KEYED =
            RecordCopy.with(PLAIN, "hmacKey", "a secret of more than thirty-two characters");

    static final byte[] GENERATION = {1};

    private SharedTestData() {}

    static SharedRequest request(String path, String... headers) {
        return request(new CallIdentity("shop", null, 0), null, path, headers);
    }

    static SharedRequest request(CallIdentity identity, String credential, String path, String... headers) {
        HttpRequest request = new HttpRequest(
                        "GET", new TargetUrl("http", "partner.example", 80, path), headers(headers), null)
                .withCredential(credential);
        CacheableRequest local = CacheableRequest.of(MINUTE, identity, request);
        return new SharedRequest("partner", local, local.onAllNodes(identity.credentialVersion()));
    }

    static Response response(int status, String body, String... headers) {
        return new Response(status, headers(headers), body.getBytes(StandardCharsets.UTF_8), false, AttemptTiming.NONE);
    }
}
