package io.iocluster.simulation.cluster;

import io.iocluster.cache.shared.SharedCacheSettings;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.EgressSettings;
import io.iocluster.hedge.HedgeDelay;
import io.iocluster.hedge.HedgeSettings;
import io.iocluster.http.HttpSettings;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.pipeline.outbox.AnswerSettings;
import io.iocluster.producer.ProducerSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The settings of the simulated nodes. */
public final class NodeSettings {

    /** Maximum of calls in flight at {@code limited.example}, on each node. */
    public static final int LIMITED_IN_FLIGHT = 2;

    private static final Duration HEDGE_AFTER = Duration.ofMillis(30);

    private NodeSettings() {}

    static PipelineSettings of(String node, Schedule schedule, int maxInFlight, boolean reloaded) {
        RetrySettings retry = RecordCopy.with(
                RetrySettings.DEFAULTS,
                "baseDelay",
                Duration.ofMillis(reloaded ? 200 : 100),
                "delayedAfter",
                schedule.delayedAfter());
        DestinationPolicy policy = RecordCopy.with(DestinationPolicy.DEFAULTS, "retry", retry);
        return new PipelineSettings(
                node,
                workers(schedule, maxInFlight),
                AnswerSettings.DEFAULTS,
                HttpSettings.DEFAULTS,
                EgressSettings.DEFAULTS,
                Map.of(),
                policy,
                List.of(
                        new DestinationSettings(
                                List.of("limited.example"),
                                "limited",
                                RecordCopy.with(policy, "maxInFlight", LIMITED_IN_FLIGHT)),
                        new DestinationSettings(
                                List.of("hedged.example"),
                                "hedged",
                                RecordCopy.with(
                                        policy,
                                        "hedge",
                                        new HedgeSettings(HedgeDelay.parse("30ms"), 50, HEDGE_AFTER)))),
                ProducerSettings.DEFAULTS,
                List.of(),
                SharedCacheSettings.DEFAULTS);
    }

    private static WorkerSettings workers(Schedule schedule, int maxInFlight) {
        return RecordCopy.with(
                WorkerSettings.DEFAULTS,
                "threads",
                schedule.threads(),
                "maxInFlight",
                maxInFlight,
                "maxUnconfirmed",
                schedule.maxUnconfirmed(),
                "maxInFlightBytes",
                DataSize.ofMebibytes(64));
    }
}
