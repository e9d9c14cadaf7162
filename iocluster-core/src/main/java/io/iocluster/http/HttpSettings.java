package io.iocluster.http;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** How calls are made. */
public record HttpSettings(
        @Setting(value = "3s", doc = "Longest wait for a connection, TLS handshake excluded.")
        Duration connectTimeout,

        @Setting(value = "10s", doc = "Longest one attempt may take, where the envelope gives no `timeoutMs`.")
        Duration timeout,

        @Setting(
                value = "30s",
                doc = "Longest a whole call may take, retries included, counted from when the node read the"
                        + " record; holds where the envelope gives no `deadlineMs`.")
        Duration deadline,

        @Setting(
                value = "5m",
                doc = "Longest any call may last once the node has read its record, whatever its envelope"
                        + " asks for.")
        Duration maxDeadline,

        @Setting(
                value = "30s",
                doc = "Longest timeout of one attempt. A longer `timeoutMs` of an envelope is cut to this value, or to"
                        + " the `timeout` of its destination if that is longer.")
        Duration maxTimeout,

        @Setting(
                value = "512KiB",
                doc = "How much of an answer's body is kept, counted after decompression; of what is cut off the"
                        + " answer says `truncated`. Keep it at half of what the answer queue takes, for JSON needs more"
                        + " room than the body.")
        DataSize maxResponseBody,

        @Setting(
                value = "truncate",
                doc = "What becomes of a longer body: it is cut off, or the call fails with `response-too-large`.")
        BodyTooLargePolicy whenBodyTooLarge,

        @Setting(value = "8KiB", doc = "Most bytes of an answer's head; a larger one is `protocol-error`.")
        DataSize maxResponseHeaders,

        @Setting(
                value = "256",
                doc = "Most headers of an answer; each value counts. An answer with more fails with `protocol-error`.")
        int maxResponseHeaderCount,

        @Setting(value = "1MiB", doc = "Largest request body; a larger one is rejected.")
        DataSize maxRequestBody,

        @Setting(value = "20s", doc = "How long an idle connection is kept for the next call.")
        Duration idleTimeout,

        @Setting(
                value = "0",
                doc = "Most connections a worker opens to one destination; 0: as many as calls in flight need.")
        int connectionsPerDestination,

        @Setting(
                value = "128",
                doc = "Most connections a worker is opening to one host and port at the same time; further ones wait"
                        + " their turn, for what knocks on a full listen backlog is dropped and knocks again only"
                        + " after a second.")
        int concurrentConnects,

        @Setting(value = "true", doc = "Whether HTTP/2 is offered to targets over TLS.")
        boolean http2,

        @Setting(doc = "How names of targets are looked up.")
        DnsSettings dns) {

    /** What holds where the configuration says nothing. */
    public static final HttpSettings DEFAULTS = new HttpSettings(
            Duration.ofSeconds(3),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofMinutes(5),
            Duration.ofSeconds(30),
            new DataSize(512 * 1024),
            BodyTooLargePolicy.TRUNCATE,
            new DataSize(8 * 1024),
            256,
            DataSize.ofMebibytes(1),
            Duration.ofSeconds(20),
            0,
            128,
            true,
            DnsSettings.DEFAULTS);

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
                .checkRange("concurrent-connects", concurrentConnects, 1, 100_000)
                .throwIfInvalid();
    }
}
