package io.iocluster.destination.policy;

import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.ProxySettings;
import io.iocluster.http.TlsSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.Rate;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** How calls to one destination are made, and how much of the node it may have. */
public record DestinationPolicy(
        @Setting(
                value = "0",
                doc = "Most calls in flight to the destination; 0: its share of `workers.max-in-flight` alone bounds"
                        + " it.")
        int maxInFlight,

        @Setting(
                value = "2",
                doc = "While several destinations are called, each gets the slots that it used recently. It gets a"
                        + " further slot only while it has fewer than this many times the free slots that are not"
                        + " guaranteed to any destination. With 2, one busy destination gets two thirds of those.")
        int borrowFactor,

        @Setting(value = "1000", doc = "Most calls that wait for the destination, retries included.")
        int maxWaiting,

        @Setting(
                value = "100ms",
                doc = "When the waiting line is full, reading pauses while the line's head has waited no longer than"
                        + " this. Once it has, and another destination has nothing waiting, further calls fail instead,"
                        + " for they must not hold up the calls to others. Where nobody else is held up, they fail only"
                        + " once no call of the line began for longer than `timeout`, or for longer than this while the"
                        + " breaker is open or the target asked for a pause. 0: they fail as soon as the line is full.")
        Duration backpressureTimeout,

        @Setting(
                value = "fail",
                doc = "What such further calls do: `fail` at once, or `delay` with the broker for the shortest of the"
                        + " tiers of `kafka.delayed` or `rabbit.delayed`, if their deadlines leave that time.")
        QueueFullPolicy whenFull,

        @Setting(value = "unlimited", doc = "Most attempts begun in a span of time: `200/s`, `30/m`, `unlimited`.")
        Rate rate,

        @Setting(
                inherits = "http.timeout",
                doc = "Longest one attempt may take, where the envelope gives no `timeoutMs`.")
        Duration timeout,

        @Setting(
                inherits = "http.deadline",
                doc = "Longest a whole call may take, waits and retries included, where the envelope gives no"
                        + " `deadlineMs`.")
        Duration deadline,

        @Setting(
                value = "\"\"",
                doc = "The credential of calls whose envelope names none by `auth`, one of `credentials`; empty: none.")
        String credential,

        @Setting(inherits = "http.connect-timeout", doc = "Longest wait for a connection, TLS handshake excluded.")
        Duration connectTimeout,

        @Setting(inherits = "http.http2", doc = "Whether HTTP/2 is offered over TLS.")
        boolean http2,

        @Setting(
                value = "false",
                doc = "Whether a compressed answer is asked for where the call has no `Accept-Encoding` of its own; the"
                        + " answer comes decompressed.")
        boolean compression,

        @Setting(peer = "the target", doc = "Whom HTTPS calls trust, and who the node is to a target that asks.")
        TlsSettings tls,

        @Setting(doc = "The proxy that calls go through.") ProxySettings proxy,

        @Setting(inherits = "retry", doc = "When a failed attempt is made again.")
        RetrySettings retry,

        @Setting(doc = "Holds back calls to a destination that keeps failing.")
        BreakerSettings breaker,

        @Setting(doc = "Lets the calls in flight follow what the destination can take.")
        AdaptiveConcurrencySettings adaptiveConcurrency) {

    /** What holds where the configuration says nothing. */
    public static final DestinationPolicy DEFAULTS = new DestinationPolicy(
            0,
            2,
            1_000,
            Duration.ofMillis(100),
            QueueFullPolicy.FAIL,
            Rate.UNLIMITED,
            HttpSettings.DEFAULTS.timeout(),
            HttpSettings.DEFAULTS.deadline(),
            "",
            HttpSettings.DEFAULTS.connectTimeout(),
            HttpSettings.DEFAULTS.http2(),
            false,
            TlsSettings.DEFAULTS,
            ProxySettings.NONE,
            RetrySettings.DEFAULTS,
            BreakerSettings.DEFAULTS,
            AdaptiveConcurrencySettings.DEFAULTS);

    public DestinationPolicy {
        new SettingsValidator()
                .checkRange("max-in-flight", maxInFlight, 0, 1_000_000)
                .checkRange("borrow-factor", borrowFactor, 1, 1_000)
                .checkRange("max-waiting", maxWaiting, 0, 1_000_000)
                .checkNotNegative("backpressure-timeout", backpressureTimeout)
                .check(
                        backpressureTimeout.compareTo(Duration.ofSeconds(10)) <= 0,
                        "backpressure-timeout",
                        "must be at most 10s: " + DurationText.format(backpressureTimeout))
                .checkPositive("timeout", timeout)
                .checkPositive("deadline", deadline)
                .checkPositive("connect-timeout", connectTimeout)
                .throwIfInvalid();
    }

    /**
     * Returns the same policy for independent hosts: without the breaker and the adaptive limit, which would apply one
     * host's results to all.
     */
    public DestinationPolicy forIndependentHosts() {
        return new DestinationPolicy(
                maxInFlight,
                borrowFactor,
                maxWaiting,
                backpressureTimeout,
                whenFull,
                rate,
                timeout,
                deadline,
                credential,
                connectTimeout,
                http2,
                compression,
                tls,
                proxy,
                retry,
                breaker.disabled(),
                adaptiveConcurrency.disabled());
    }

    /** The name of the credential of calls whose envelope names none, or null for none. */
    public String defaultCredential() {
        return credential.isEmpty() ? null : credential;
    }

    /** How connections to the destination are made. */
    public HttpProfile httpProfile() {
        return new HttpProfile(connectTimeout, http2, compression, tls, proxy);
    }
}
