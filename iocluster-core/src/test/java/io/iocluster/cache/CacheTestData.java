package io.iocluster.cache;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.Header;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.record.RecordCopy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Settings, requests and responses for tests of the cache. */
public final class CacheTestData {

    static final CallIdentity SOMEBODY = new CallIdentity("shop", "key", 1);

    /** A cache for a minute that does not read headers. */
    static final CacheSettings MINUTE =
            RecordCopy.with(CacheSettings.DEFAULTS, "ttl", Duration.ofMinutes(1), "respectCacheControl", false);

    /** A cache for an hour that follows the headers. */
    static final CacheSettings RFC = RecordCopy.with(CacheSettings.DEFAULTS, "ttl", Duration.ofHours(1));

    private CacheTestData() {}

    static CacheSettings keyed(List<String> query, List<String> headers) {
        return RecordCopy.with(MINUTE, "key", new CacheKeySettings(query, headers));
    }

    static CacheSettings bytes(CacheSettings settings, long bytes) {
        return RecordCopy.with(settings, "maxBytes", new DataSize(bytes));
    }

    static HttpRequest get(String pathAndQuery, String... headers) {
        return request("GET", pathAndQuery, null, headers);
    }

    /** @param headers names and values in turn */
    static HttpRequest request(String method, String pathAndQuery, String body, String... headers) {
        return new HttpRequest(
                method,
                new TargetUrl("http", "partner.example", 80, pathAndQuery),
                headers(headers),
                body == null ? null : body.getBytes(StandardCharsets.UTF_8));
    }

    static Response response(int status, String body, String... headers) {
        return new Response(status, headers(headers), body.getBytes(StandardCharsets.UTF_8), false, AttemptTiming.NONE);
    }

    public static List<Header> headers(String... namesAndValues) {
        List<Header> headers = new ArrayList<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(new Header(namesAndValues[i], namesAndValues[i + 1]));
        }
        return headers;
    }
}
