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
import io.iocluster.settings.StatusPattern;
import java.time.Duration;
import java.util.List;

/** Settings of the calls to one destination: limits, timeouts, connections, retries and breaker. Immutable. */
public record DestinationPolicy(
        @Setting(
                value = "0",
                doc = "Maximum number of calls in flight to the destination. 0: only its share of"
                        + " `workers.max-in-flight` limits it.")
        int maxInFlight,

        @Setting(
                value = "2",
                doc = "While several destinations are called, each is guaranteed the slots that it used recently. A"
                        + " destination may exceed its guarantee while it has fewer slots than this many times the free"
                        + " slots that are guaranteed to no destination. With 2, one busy destination gets two thirds of"
                        + " those. See [shares of the slots](destinations.md#shares-of-the-slots).")
        int borrowFactor,

        @Setting(value = "1000", doc = "Maximum number of calls that wait for the destination, retries included.")
        int maxWaiting,

        @Setting(
                value = "100ms",
                doc =
                        "If the destination's queue is full, the node pauses reading until the first call in the queue has"
                                + " waited for longer than this. Then further calls to the destination fail, so that they do"
                                + " not delay calls to others. If they delay no others, they fail later: see [when the queue is"
                                + " full](destinations.md#when-the-queue-is-full). 0: calls fail as soon as the queue is full.")
        Duration backpressureTimeout,

        @Setting(
                value = "fail",
                doc = "What happens to calls that the full queue does not accept. `fail`: they fail at once. `delay`:"
                        + " they wait in the broker for the shortest tier of `kafka.delayed` or `rabbit.delayed`, and"
                        + " fail if their deadline does not leave that time.")
        QueueFullPolicy whenFull,

        @Setting(value = "unlimited", doc = "Maximum rate at which attempts start: `200/s`, `30/m`, `unlimited`.")
        Rate rate,

        @Setting(
                inherits = "http.timeout",
                doc = "Maximum duration of one attempt, if the envelope has no `timeoutMs`.")
        Duration timeout,

        @Setting(
                inherits = "http.deadline",
                doc = "Maximum duration of a whole call, waits and retries included, if the envelope has no"
                        + " `deadlineMs`.")
        Duration deadline,

        @Setting(
                value = "\"\"",
                doc = "Name of the entry in `credentials` for calls whose envelope has no `auth`; empty: none.")
        String credential,

        @Setting(inherits = "http.connect-timeout", doc = "Maximum time to connect, TLS handshake excluded.")
        Duration connectTimeout,

        @Setting(inherits = "http.http2", doc = "Whether the node offers HTTP/2 over TLS.")
        boolean http2,

        @Setting(
                value = "false",
                doc = "Whether the node asks for a compressed answer if the call has no `Accept-Encoding` header. It"
                        + " decompresses the answer.")
        boolean compression,

        @Setting(
                peer = "the target",
                doc = "The certificates that HTTPS calls trust, and the node's client certificate.")
        TlsSettings tls,

        @Setting(doc = "The proxy that calls go through.") ProxySettings proxy,

        @Setting(inherits = "retry", doc = "When the node retries a failed attempt.")
        RetrySettings retry,

        @Setting(
                doc = "HTTP statuses from 400 on that are normal answers of this target: `404`, or `4xx` for all of a"
                        + " class. All others count as errors in the metrics, the console and the alerts. Retries and"
                        + " the breaker have their own lists.")
        List<StatusPattern> expectedStatuses,

        @Setting(doc = "Circuit breaker that pauses calls to a destination that keeps failing.")
        BreakerSettings breaker,

        @Setting(doc = "Adaptive limit of calls in flight that follows the target's latency.")
        AdaptiveConcurrencySettings adaptiveConcurrency) {

    private static final int FIRST_ERROR_STATUS = 400;

    /** The defaults of the configuration. */
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
            List.of(),
            BreakerSettings.DEFAULTS,
            AdaptiveConcurrencySettings.DEFAULTS);

    public DestinationPolicy {
        expectedStatuses = List.copyOf(expectedStatuses);
        SettingsValidator validator = new SettingsValidator()
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
                .checkPositive("connect-timeout", connectTimeout);
        validator.checkEach(
                "expected-statuses",
                expectedStatuses,
                (key, statuses) -> validator.check(
                        statuses.first() >= FIRST_ERROR_STATUS,
                        key,
                        "must be a status from 400 to 599, or its class: " + statuses));
        validator.throwIfInvalid();
    }

    /**
     * Returns a copy for a group of independent hosts. It has no breaker and no adaptive limit, because these would
     * apply the results of one host to all.
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
                expectedStatuses,
                breaker.disabled(),
                adaptiveConcurrency.disabled());
    }

    /** Returns a copy with these limits. */
    public DestinationPolicy withLimits(int otherMaxInFlight, Rate otherRate) {
        return new DestinationPolicy(
                otherMaxInFlight,
                borrowFactor,
                maxWaiting,
                backpressureTimeout,
                whenFull,
                otherRate,
                timeout,
                deadline,
                credential,
                connectTimeout,
                http2,
                compression,
                tls,
                proxy,
                retry,
                expectedStatuses,
                breaker,
                adaptiveConcurrency);
    }

    /** Returns the name of the credential for calls whose envelope has no {@code auth}; null if there is none. */
    public String defaultCredential() {
        return credential.isEmpty() ? null : credential;
    }

    /** Returns whether a response with this status is an error: a 4xx or 5xx that is not expected. */
    public boolean isError(int status) {
        return status >= FIRST_ERROR_STATUS && !StatusPattern.anyMatches(expectedStatuses, status);
    }

    /** Returns the settings of connections to the destination. */
    public HttpProfile httpProfile() {
        return new HttpProfile(connectTimeout, http2, compression, tls, proxy);
    }
}
