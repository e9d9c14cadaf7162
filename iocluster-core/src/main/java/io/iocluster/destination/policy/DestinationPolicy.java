package io.iocluster.destination.policy;

import io.iocluster.cache.CacheSettings;
import io.iocluster.hedge.HedgeSettings;
import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.TlsSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.Inlined;
import io.iocluster.settings.Rate;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.iocluster.settings.StatusPattern;
import io.iocluster.upstream.UpstreamSettings;
import io.iocluster.usable.UsableSettings;
import java.time.Duration;
import java.util.List;

/** Settings of the calls to one destination: limits, timeouts, connections, retries and breaker. Immutable. */
public record DestinationPolicy(
        @Inlined DestinationLimits limits,

        @Setting(inherits = "http.timeout", doc = "Longest attempt, if the envelope has no `timeoutMs`.")
        Duration timeout,

        @Setting(
                inherits = "http.deadline",
                doc = "Longest call, waits and retries included, if the envelope has no `deadlineMs`.")
        Duration deadline,

        @Setting(value = "\"\"", doc = "Entry of `credentials` for calls whose envelope has no `auth`; empty: none.")
        String credential,

        @Inlined ConnectionSettings connections,

        @Setting(doc = "Replicas of the target: see [upstreams](upstreams.md).")
        UpstreamSettings upstreams,

        @Setting(inherits = "retry", doc = "When the node retries a failed attempt.")
        RetrySettings retry,

        @Setting(
                doc = "HTTP statuses from 400 on that are normal answers: `404`, or `4xx` for all of a class. All"
                        + " others are errors in metrics, console and alerts. Retries and the breaker have their own"
                        + " lists.")
        List<StatusPattern> expectedStatuses,

        @Setting(
                doc = "Which answers are usable, if the envelope does not say it: see"
                        + " [usable answers](destinations.md#usable-answers).")
        UsableSettings usable,

        @Setting(doc = "Circuit breaker that pauses calls to a destination that keeps failing.")
        BreakerSettings breaker,

        @Setting(doc = "Adaptive limit of calls in flight that follows the target's latency.")
        AdaptiveConcurrencySettings adaptiveConcurrency,

        @Setting(
                doc = "Second attempts of slow calls that are repeatable: see"
                        + " [hedged calls](destinations.md#hedged-calls).")
        HedgeSettings hedge,

        @Setting(doc = "Cache of responses: see [the cache](cache.md).")
        CacheSettings cache) {

    private static final int FIRST_ERROR_STATUS = 400;

    /** The defaults of the configuration. */
    public static final DestinationPolicy DEFAULTS = new DestinationPolicy(
            DestinationLimits.DEFAULTS,
            HttpSettings.DEFAULTS.timeout(),
            HttpSettings.DEFAULTS.deadline(),
            "",
            ConnectionSettings.DEFAULTS,
            UpstreamSettings.DEFAULTS,
            RetrySettings.DEFAULTS,
            List.of(),
            UsableSettings.DEFAULTS,
            BreakerSettings.DEFAULTS,
            AdaptiveConcurrencySettings.DEFAULTS,
            HedgeSettings.DEFAULTS,
            CacheSettings.DEFAULTS);

    public DestinationPolicy {
        expectedStatuses = List.copyOf(expectedStatuses);
        SettingsValidator validator =
                new SettingsValidator().checkPositive("timeout", timeout).checkPositive("deadline", deadline);
        validator.checkEach(
                "expected-statuses",
                expectedStatuses,
                (key, statuses) -> validator.check(
                        statuses.first() >= FIRST_ERROR_STATUS,
                        key,
                        "must be a status from 400 to 599, or its class: " + statuses));
        validator
                .check(
                        !upstreams.isEnabled() || !connections.proxy().isEnabled(),
                        "upstreams",
                        "must name no upstreams if proxy.type is not none, because the proxy connects to the host of"
                                + " the URL")
                .throwIfInvalid();
    }

    /**
     * Returns a copy for a group of independent hosts. It has no breaker, no adaptive limit and no hedging, because these would
     * apply the results of one host to all.
     */
    public DestinationPolicy forIndependentHosts() {
        return copy(limits, breaker.disabled(), adaptiveConcurrency.disabled(), HedgeSettings.DEFAULTS);
    }

    /** Returns a copy with these limits of each node; null keeps a limit as it is. */
    public DestinationPolicy withLimits(Integer otherMaxInFlight, Rate otherRate) {
        return copy(limits.with(otherMaxInFlight, otherRate), breaker, adaptiveConcurrency, hedge);
    }

    private DestinationPolicy copy(
            DestinationLimits otherLimits,
            BreakerSettings otherBreaker,
            AdaptiveConcurrencySettings otherAdaptive,
            HedgeSettings otherHedge) {
        return new DestinationPolicy(
                otherLimits,
                timeout,
                deadline,
                credential,
                connections,
                upstreams,
                retry,
                expectedStatuses,
                usable,
                otherBreaker,
                otherAdaptive,
                otherHedge,
                cache);
    }

    public int maxInFlight() {
        return limits.maxInFlight();
    }

    public int borrowFactor() {
        return limits.borrowFactor();
    }

    public int maxWaiting() {
        return limits.maxWaiting();
    }

    public Duration backpressureTimeout() {
        return limits.backpressureTimeout();
    }

    public QueueFullPolicy whenFull() {
        return limits.whenFull();
    }

    public Rate rate() {
        return limits.rate();
    }

    public TlsSettings tls() {
        return connections.tls();
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
        return connections.httpProfile();
    }
}
