package io.iocluster.simulation.cluster;

import io.iocluster.cache.CacheKeySettings;
import io.iocluster.cache.CacheSettings;
import io.iocluster.cache.shared.SharedCacheSettings;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.destination.policy.LimitScope;
import io.iocluster.egress.EgressSettings;
import io.iocluster.hedge.HedgeDelay;
import io.iocluster.hedge.HedgeSettings;
import io.iocluster.http.HttpSettings;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.pipeline.outbox.AnswerSettings;
import io.iocluster.producer.AppSettings;
import io.iocluster.producer.ProducerSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.Rate;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The settings of the simulated nodes. */
public final class NodeSettings {

    /** Maximum of calls in flight at {@link SimulatedTargets#LIMITED}, on each node. */
    public static final int LIMITED_IN_FLIGHT = 2;

    /** Maximum of calls in flight at {@link SimulatedTargets#DIVIDED}, on all nodes together. */
    public static final int DIVIDED_IN_FLIGHT = 7;

    /** Attempts a second at {@link SimulatedTargets#RATED}, on each node. */
    public static final int RATE = 10;

    /** How long a response of {@link SimulatedTargets#CACHED} answers further calls. */
    public static final Duration CACHE_TTL = Duration.ofMillis(1_500);

    private static final Duration HEDGE_AFTER = Duration.ofMillis(30);
    private static final int HEDGE_PERCENT = 50;

    private NodeSettings() {}

    static PipelineSettings of(String node, NodeSize size, boolean reloaded) {
        RetrySettings retry = RecordCopy.with(
                RetrySettings.DEFAULTS,
                "baseDelay",
                Duration.ofMillis(reloaded ? 200 : 100),
                "delayedAfter",
                size.delayedAfter());
        DestinationPolicy policy = RecordCopy.with(DestinationPolicy.DEFAULTS, "retry", retry);
        return new PipelineSettings(
                node,
                workers(size),
                AnswerSettings.DEFAULTS,
                HttpSettings.DEFAULTS,
                EgressSettings.DEFAULTS,
                Map.of(),
                policy,
                List.of(
                        destination(
                                SimulatedTargets.LIMITED,
                                policy,
                                "maxInFlight",
                                reloaded ? LIMITED_IN_FLIGHT - 1 : LIMITED_IN_FLIGHT),
                        destination(
                                SimulatedTargets.DIVIDED,
                                RecordCopy.with(policy, "maxInFlightPer", LimitScope.CLUSTER),
                                "maxInFlight",
                                DIVIDED_IN_FLIGHT),
                        destination(
                                SimulatedTargets.HEDGED,
                                policy,
                                "hedge",
                                new HedgeSettings(HedgeDelay.parse("30ms"), HEDGE_PERCENT, HEDGE_AFTER)),
                        destination(SimulatedTargets.RATED, policy, "rate", new Rate(RATE, Duration.ofSeconds(1))),
                        destination(SimulatedTargets.CACHED, policy, "cache", cache())),
                ProducerSettings.DEFAULTS,
                apps(size),
                SharedCacheSettings.DEFAULTS);
    }

    private static DestinationSettings destination(String host, DestinationPolicy policy, String key, Object value) {
        return new DestinationSettings(List.of(host), host, RecordCopy.with(policy, key, value));
    }

    private static CacheSettings cache() {
        return RecordCopy.with(
                CacheSettings.DEFAULTS,
                "ttl",
                CACHE_TTL,
                "coalesce",
                true,
                "respectCacheControl",
                false,
                "key",
                new CacheKeySettings(List.of("*"), List.of("accept")));
    }

    private static List<AppSettings> apps(NodeSize size) {
        return size.billingQuota() == 0
                ? List.of()
                : List.of(new AppSettings(
                        "billing",
                        RecordCopy.with(ProducerSettings.DEFAULTS.quota(), "maxInFlight", size.billingQuota())));
    }

    private static WorkerSettings workers(NodeSize size) {
        return RecordCopy.with(
                WorkerSettings.DEFAULTS,
                "threads",
                size.threads(),
                "maxInFlight",
                size.maxInFlight(),
                "maxUnconfirmed",
                size.maxUnconfirmed(),
                "maxWaiting",
                size.maxWaiting(),
                "maxInFlightBytes",
                DataSize.ofMebibytes(size.maxMebibytes()));
    }
}
