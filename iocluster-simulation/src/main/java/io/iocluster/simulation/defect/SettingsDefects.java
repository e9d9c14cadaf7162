package io.iocluster.simulation.defect;

import io.iocluster.cache.CacheSharing;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.destination.policy.LimitScope;
import io.iocluster.settings.Rate;
import io.iocluster.simulation.cluster.SimulatedTargets;
import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** Defects of limits. Most are settings that make the node behave as if a limit was computed wrongly. */
final class SettingsDefects {

    private SettingsDefects() {}

    private static Wiring changing(String host, UnaryOperator<DestinationPolicy> defect) {
        return DefectiveWiring.ofSettings(settings -> RecordCopy.with(
                settings,
                "destinations",
                settings.destinations().stream()
                        .map(each -> each.name().equals(host)
                                ? new DestinationSettings(each.match(), each.name(), defect.apply(each.policy()))
                                : each)
                        .toList()));
    }

    static Wiring grantsOneSlotTooMany() {
        return DefectiveWiring.ofSettings(settings -> RecordCopy.with(
                settings,
                "workers",
                settings.workers()
                        .withSize(
                                settings.workers().threads(), settings.workers().maxInFlight() + 1)));
    }

    static Wiring grantsOneSlotTooManyOfDestination() {
        return changing(
                SimulatedTargets.LIMITED, policy -> RecordCopy.with(policy, "maxInFlight", policy.maxInFlight() + 1));
    }

    static Wiring exceedsRate() {
        return changing(
                SimulatedTargets.RATED,
                policy -> RecordCopy.with(
                        policy,
                        "rate",
                        new Rate(policy.rate().count() * 3 / 2, policy.rate().per())));
    }

    static Wiring exceedsQuota() {
        return DefectiveWiring.ofSettings(settings -> RecordCopy.with(settings, "apps", List.of()));
    }

    static Wiring keepsResponsesTooLong() {
        return changing(
                SimulatedTargets.CACHED,
                policy -> RecordCopy.with(
                        policy, "cache", RecordCopy.with(policy.cache(), "ttl", Duration.ofMinutes(1))));
    }

    static Wiring sharesResponsesBetweenApps() {
        return changing(
                SimulatedTargets.CACHED,
                policy -> RecordCopy.with(
                        policy, "cache", RecordCopy.with(policy.cache(), "shareAcross", List.of(CacheSharing.APPS))));
    }

    static Wiring ignoresShare() {
        return changing(SimulatedTargets.DIVIDED, policy -> RecordCopy.with(policy, "maxInFlightPer", LimitScope.NODE));
    }

    /** The other nodes use its share while it still makes its last calls. */
    static Wiring leavesEarly() {
        return new Wiring() {

            @Override
            public void drains(Runnable leave) {
                leave.run();
            }
        };
    }

    static Wiring ignoresRetryAfter() {
        return DefectiveWiring.ofSettings(settings -> RecordCopy.with(
                settings,
                "destinationDefaults",
                RecordCopy.with(
                        settings.destinationDefaults(),
                        "retry",
                        RecordCopy.with(
                                settings.destinationDefaults().retry(), "maxRetryAfter", Duration.ofMillis(1)))));
    }
}
