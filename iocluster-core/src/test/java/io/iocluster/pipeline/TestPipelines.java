package io.iocluster.pipeline;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.CurrentEgressPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.egress.EgressViolationListener;
import io.iocluster.http.HttpSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import io.iocluster.trace.Tracing;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Creates pipelines whose transport, HTTP and clock the test controls. */
final class TestPipelines {

    private TestPipelines() {}

    static Pipeline of(
            FakeTransport transport,
            FakeExecutors http,
            NodeClock clock,
            WorkerSettings workers,
            DestinationPolicy others,
            DestinationSettings... destinations) {
        return of(transport, http, clock, PipelineEvents.NONE, workers, others, destinations);
    }

    static Pipeline of(
            FakeTransport transport,
            FakeExecutors http,
            NodeClock clock,
            PipelineEvents events,
            WorkerSettings workers,
            DestinationPolicy others,
            DestinationSettings... destinations) {
        return new Pipeline(
                settings(workers, others, destinations),
                transport,
                events,
                Tracing.OFF,
                new CurrentEgressPolicy(EgressSettings.DEFAULTS, EgressViolationListener.NONE),
                http,
                clock);
    }

    /** Returns default settings with a small limit of request bodies. */
    static PipelineSettings settings(
            WorkerSettings workers, DestinationPolicy others, DestinationSettings... destinations) {
        return new PipelineSettings(
                "node-1",
                workers,
                AnswerSettings.DEFAULTS,
                http(10, HttpSettings.DEFAULTS.idleTimeout()),
                EgressSettings.DEFAULTS,
                Map.of(),
                others,
                List.of(destinations));
    }

    static HttpSettings http(long maxRequestBody, Duration keepAlive) {
        HttpSettings defaults = HttpSettings.DEFAULTS;
        return new HttpSettings(
                defaults.connectTimeout(),
                defaults.timeout(),
                defaults.deadline(),
                defaults.maxDeadline(),
                defaults.maxTimeout(),
                defaults.maxResponseBody(),
                defaults.whenBodyTooLarge(),
                defaults.maxResponseHeaders(),
                defaults.maxResponseHeaderCount(),
                new DataSize(maxRequestBody),
                keepAlive,
                0,
                defaults.concurrentConnects(),
                true,
                defaults.dns());
    }

    /** Returns the default policy with another limit of calls in flight, another queue limit and other retries; 0 means the default. */
    static DestinationPolicy policy(int maxInFlight, int waiting, RetrySettings retry) {
        return policy(maxInFlight, waiting, "", retry);
    }

    /** Returns the default policy with another limit of calls in flight, 0 for the default, and a credential for all calls. */
    static DestinationPolicy policy(int maxInFlight, String credential) {
        return policy(maxInFlight, 0, credential, RetrySettings.DEFAULTS);
    }

    private static DestinationPolicy policy(int maxInFlight, int waiting, String credential, RetrySettings retry) {
        DestinationPolicy defaults = DestinationPolicy.DEFAULTS;
        return new DestinationPolicy(
                maxInFlight,
                defaults.borrowFactor(),
                waiting == 0 ? defaults.maxWaiting() : waiting,
                defaults.backpressureTimeout(),
                defaults.whenFull(),
                defaults.rate(),
                defaults.timeout(),
                defaults.deadline(),
                credential,
                defaults.connectTimeout(),
                defaults.http2(),
                defaults.compression(),
                defaults.tls(),
                defaults.proxy(),
                retry,
                defaults.expectedStatuses(),
                defaults.breaker(),
                defaults.adaptiveConcurrency());
    }
}
