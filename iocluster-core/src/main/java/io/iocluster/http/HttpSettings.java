package io.iocluster.http;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** Configures HTTP calls. */
public record HttpSettings(
        @Setting(value = "3s", doc = "Longest wait for a connection, without the TLS handshake.")
        Duration connectTimeout,

        @Setting(value = "10s", doc = "Timeout of one attempt, if the envelope has no `timeoutMs`.")
        Duration timeout,

        @Setting(
                value = "30s",
                doc = "Longest duration of a call with its retries, from the time when the node read the message, if"
                        + " the envelope has no `deadlineMs`.")
        Duration deadline,

        @Setting(
                value = "5m",
                doc = "Longest duration of any call from the time when the node read its message. Limits the"
                        + " `deadlineMs` of envelopes.")
        Duration maxDeadline,

        @Setting(
                value = "30s",
                doc = "Limits the `timeoutMs` of envelopes, unless the `timeout` of the destination is longer.")
        Duration maxTimeout,

        @Setting(
                value = "512KiB",
                doc = "Maximum size of a response body after decompression. Set it to half of the largest message"
                        + " that the answer queue accepts, because the answer's JSON is larger than the body.")
        DataSize maxResponseBody,

        @Setting(
                value = "truncate",
                doc = "`truncate`: a longer body, or one that the answer queue does not accept, is truncated and the"
                        + " answer has `truncated: true`. `fail`: the call fails with `response-too-large` or"
                        + " `answer-too-large`.")
        BodyTooLargePolicy whenBodyTooLarge,

        @Setting(
                value = "64KiB",
                doc = "Maximum size of a response's headers; if they are larger, the call fails with"
                        + " `protocol-error`. Their memory is not part of `workers.max-in-flight-bytes`.")
        DataSize maxResponseHeaders,

        @Setting(
                value = "256",
                doc = "Maximum number of header values of a response; if there are more, the call fails with"
                        + " `protocol-error`.")
        int maxResponseHeaderCount,

        @Setting(value = "1MiB", doc = "Maximum size of a request body. A larger one is rejected.")
        DataSize maxRequestBody,

        @Setting(value = "20s", doc = "How long an idle connection stays open for the next call.")
        Duration idleTimeout,

        @Setting(
                value = "0",
                doc = "Connections of a worker to one destination. 0: as many as the calls in flight need.")
        int connectionsPerDestination,

        @Setting(value = "1000", doc = "Idle connections of a worker; the least recently used one beyond is closed.")
        int maxIdleConnections,

        @Setting(value = "250", doc = "Idle connections of a worker to one host and port.")
        int maxIdleConnectionsPerHost,

        @Setting(
                value = "128",
                doc = "Connections that a worker opens to one host and port at the same time. Further ones wait,"
                        + " because a target with a full listen backlog drops the SYN.")
        int concurrentConnects,

        @Setting(value = "true", doc = "Whether to offer HTTP/2 to targets over TLS.")
        boolean http2,

        @Setting(doc = "DNS lookups of target names.") DnsSettings dns,

        @Setting(doc = "Memory for the [caches](cache.md) of all destinations.")
        CacheMemorySettings cache) {

    /** Bytes that the envelope may have besides its body: URL, headers, context. */
    private static final int MAX_BYTES_BESIDE_BODY = 256 * 1024;

    /**
     * About as much as common proxies let a target send, such as Envoy (60 KiB), and four times as much as Node.js reads. A content security
     * policy and a few cookies fill 8 KiB.
     */
    private static final DataSize DEFAULT_MAX_RESPONSE_HEADERS = new DataSize(64 * 1024);

    /** Values for keys that are not configured. */
    public static final HttpSettings DEFAULTS = new HttpSettings(
            Duration.ofSeconds(3),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofMinutes(5),
            Duration.ofSeconds(30),
            new DataSize(512 * 1024),
            BodyTooLargePolicy.TRUNCATE,
            DEFAULT_MAX_RESPONSE_HEADERS,
            256,
            DataSize.ofMebibytes(1),
            Duration.ofSeconds(20),
            0,
            1_000,
            250,
            128,
            true,
            DnsSettings.DEFAULTS,
            CacheMemorySettings.DEFAULTS);

    public HttpSettings {
        new SettingsValidator()
                .checkPositive("connect-timeout", connectTimeout)
                .checkPositive("timeout", timeout)
                .checkPositive("deadline", deadline)
                .check(maxDeadline.compareTo(deadline) >= 0, "max-deadline", "must not be below deadline")
                .check(maxDeadline.toDays() <= 1, "max-deadline", "must be at most 1d")
                .checkPositive("max-timeout", maxTimeout)
                .check(maxTimeout.toDays() <= 1, "max-timeout", "must be at most 1d")
                .checkRange("max-response-body", maxResponseBody, new DataSize(0), DataSize.ofMebibytes(256))
                .checkRange("max-response-headers", maxResponseHeaders, new DataSize(1024), DataSize.ofMebibytes(1))
                .checkRange("max-response-header-count", maxResponseHeaderCount, 1, 100_000)
                .checkRange("max-request-body", maxRequestBody, new DataSize(0), DataSize.ofMebibytes(256))
                .checkNotNegative("idle-timeout", idleTimeout)
                .checkRange("connections-per-destination", connectionsPerDestination, 0, 100_000)
                .checkRange("max-idle-connections", maxIdleConnections, 1, 100_000)
                .checkRange("max-idle-connections-per-host", maxIdleConnectionsPerHost, 1, 100_000)
                .checkRange("concurrent-connects", concurrentConnects, 1, 100_000)
                .throwIfInvalid();
    }

    /** Returns the size of the largest envelope with an allowed body: JSON may escape one byte of text as six. */
    public int maxEnvelopeBytes() {
        return (int) Math.min(Integer.MAX_VALUE, maxRequestBody.bytes() * 6 + MAX_BYTES_BESIDE_BODY);
    }
}
