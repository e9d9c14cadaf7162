package io.iocluster.pipeline;

import io.iocluster.destination.DestinationPolicy;
import io.iocluster.destination.DestinationSettings;
import io.iocluster.egress.EgressInForce;
import io.iocluster.egress.EgressReports;
import io.iocluster.egress.EgressSettings;
import io.iocluster.http.HttpSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import java.util.List;
import java.util.Map;

/** Pipelines whose transport, HTTP and clock are the test's. */
final class TestPipelines {

    private TestPipelines() {}

    static Pipeline of(
            FakeTransport transport,
            FakeExecutors http,
            NodeClock clock,
            WorkerSettings workers,
            DestinationPolicy others,
            DestinationSettings... destinations) {
        HttpSettings defaults = HttpSettings.DEFAULTS;
        HttpSettings smallBodies = new HttpSettings(
                defaults.connectTimeout(),
                defaults.timeout(),
                defaults.deadline(),
                defaults.maxDeadline(),
                defaults.maxResponseBody(),
                defaults.whenBodyTooLarge(),
                defaults.maxResponseHeaders(),
                new DataSize(10),
                defaults.keepAlive(),
                0,
                true,
                defaults.dns());
        return new Pipeline(
                new PipelineSettings(
                        "node-1",
                        workers,
                        smallBodies,
                        EgressSettings.DEFAULTS,
                        Map.of(),
                        others,
                        List.of(destinations)),
                transport,
                PipelineEvents.NONE,
                new EgressInForce(EgressSettings.DEFAULTS, EgressReports.NONE),
                http,
                clock);
    }

    /** The default policy with another limit of calls in flight, another line and other retries; 0: the default. */
    static DestinationPolicy policy(int maxInFlight, int waiting, RetrySettings retry) {
        DestinationPolicy defaults = DestinationPolicy.DEFAULTS;
        return new DestinationPolicy(
                maxInFlight,
                defaults.share(),
                waiting == 0 ? defaults.waiting() : waiting,
                defaults.patience(),
                defaults.rate(),
                defaults.timeout(),
                defaults.deadline(),
                defaults.credential(),
                defaults.connectTimeout(),
                defaults.http2(),
                defaults.compression(),
                defaults.tls(),
                defaults.proxy(),
                retry,
                defaults.breaker(),
                defaults.adaptive());
    }
}
