package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.cache.shared.SharedCacheSettings;
import io.iocluster.cache.shared.SharedStore;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.CurrentEgressPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.egress.EgressViolationListener;
import io.iocluster.http.HttpSettings;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.pipeline.outbox.AnswerSettings;
import io.iocluster.producer.ProducerSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.time.ClockedPlatform;
import io.iocluster.thread.NodeClock;
import io.iocluster.trace.Tracing;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Creates and observes pipelines whose transport, HTTP and clock the test controls. */
public final class TestPipelines {

    private TestPipelines() {}

    public static Pipeline of(
            FakeTransport transport,
            FakeExecutors http,
            NodeClock clock,
            WorkerSettings workers,
            DestinationPolicy others,
            DestinationSettings... destinations) {
        return of(transport, http, clock, PipelineEvents.NONE, workers, others, destinations);
    }

    public static Pipeline of(
            FakeTransport transport,
            FakeExecutors http,
            NodeClock clock,
            PipelineEvents events,
            WorkerSettings workers,
            DestinationPolicy others,
            DestinationSettings... destinations) {
        return of(transport, http, clock, events, settings(workers, others, destinations));
    }

    public static Pipeline of(FakeTransport transport, FakeExecutors http, NodeClock clock, PipelineSettings settings) {
        return of(transport, http, clock, PipelineEvents.NONE, settings);
    }

    /** Returns a pipeline that shares its cache by a store. */
    public static Pipeline of(
            FakeTransport transport,
            FakeExecutors http,
            NodeClock clock,
            PipelineSettings settings,
            SharedStore.Factory stores) {
        return new Pipeline(
                settings,
                transport,
                PipelineEvents.NONE,
                Tracing.OFF,
                new PipelineParts(parts(http).egress(), http, WorkerLoops.SYSTEM, stores),
                new ClockedPlatform(clock));
    }

    /** Returns parts with a fake HTTP client and without a shared cache. */
    static PipelineParts parts(FakeExecutors http) {
        return new PipelineParts(
                new CurrentEgressPolicy(EgressSettings.DEFAULTS, EgressViolationListener.NONE),
                http,
                WorkerLoops.SYSTEM,
                SharedStore.Factory.NONE);
    }

    private static Pipeline of(
            FakeTransport transport,
            FakeExecutors http,
            NodeClock clock,
            PipelineEvents events,
            PipelineSettings settings) {
        return new Pipeline(settings, transport, events, Tracing.OFF, parts(http), new ClockedPlatform(clock));
    }

    /** Returns default settings with a small limit of request bodies. */
    public static PipelineSettings settings(
            WorkerSettings workers, DestinationPolicy others, DestinationSettings... destinations) {
        return new PipelineSettings(
                "node-1",
                workers,
                AnswerSettings.DEFAULTS,
                http(10, HttpSettings.DEFAULTS.idleTimeout()),
                EgressSettings.DEFAULTS,
                Map.of(),
                others,
                List.of(destinations),
                ProducerSettings.DEFAULTS,
                List.of(),
                SharedCacheSettings.DEFAULTS);
    }

    static HttpSettings http(long maxRequestBody, Duration keepAlive) {
        return RecordCopy.with(
                HttpSettings.DEFAULTS,
                "maxRequestBody",
                new DataSize(maxRequestBody),
                "idleTimeout",
                keepAlive,
                "connectionsPerDestination",
                0,
                "http2",
                true);
    }

    /** Returns the default policy with another limit of calls in flight, another queue limit and other retries; 0 means the default. */
    /** Returns one worker with this many slots, 100 unconfirmed answers and 10 waiting calls. */
    public static WorkerSettings oneWorker(int maxInFlight) {
        return new WorkerSettings(
                1,
                maxInFlight,
                100,
                10,
                DataSize.ofMebibytes(1),
                10,
                75,
                4,
                Duration.ofSeconds(60),
                Duration.ofMinutes(1));
    }

    public static DestinationPolicy policy(int maxInFlight, int waiting, RetrySettings retry) {
        return policy(maxInFlight, waiting, "", retry);
    }

    /** Returns the default policy with another limit of calls in flight, 0 for the default, and a credential for all calls. */
    static DestinationPolicy policy(int maxInFlight, String credential) {
        return policy(maxInFlight, 0, credential, RetrySettings.DEFAULTS);
    }

    /** Waits until the pipeline holds no call and no byte. */
    public static void awaitNothingHeld(Pipeline pipeline) {
        await().untilAsserted(() -> {
            PipelineStatus status = pipeline.status();
            assertThat(status.inFlight()).isZero();
            assertThat(status.waiting()).isZero();
            assertThat(status.unconfirmed()).isZero();
            assertThat(status.inFlightBytes()).isZero();
            assertThat(status.workers()).allMatch(worker -> worker.inFlight() == 0);
        });
    }

    private static DestinationPolicy policy(int maxInFlight, int waiting, String credential, RetrySettings retry) {
        DestinationPolicy defaults = DestinationPolicy.DEFAULTS;
        return RecordCopy.with(
                defaults,
                "maxInFlight",
                maxInFlight,
                "maxWaiting",
                waiting == 0 ? defaults.maxWaiting() : waiting,
                "credential",
                credential,
                "retry",
                retry);
    }
}
