package io.iocluster.pipeline;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** Limits how much a node does at once. Immutable. */
public record WorkerSettings(
        @Setting(value = "0", doc = "Event-loop threads; 0: one for each core.")
        int threads,

        @Setting(value = "300", doc = "Calls in flight on this node. Raise it when the lag grows and the CPU is idle.")
        int maxInFlight,

        @Setting(
                value = "1000",
                doc = "Ended calls whose answers the broker has not confirmed; beyond that no further call starts.")
        int maxUnconfirmed,

        @Setting(
                value = "2000",
                doc = "Waiting calls over all destinations, retries included; one destination gets at most half of"
                        + " the free capacity.")
        int maxWaiting,

        @Setting(
                value = "256MiB",
                doc = "Bytes held by calls in flight, waiting calls and unconfirmed answers: see"
                        + " [memory](operations/tuning.md#memory). Each POST or PATCH in flight reserves"
                        + " `http.max-response-body` of it.")
        DataSize maxInFlightBytes,

        @Setting(
                value = "10000",
                doc = "Hosts and ports without an entry in `destinations` that have a queue and limits; further"
                        + " ones share one queue and one limit.")
        int maxDestinations,

        @Setting(
                value = "75",
                doc = "Percentage of the slots for all destinations without an entry in `destinations`. The rest is"
                        + " reserved for the entries, if there are any.")
        int maxUnconfiguredPercent,

        @Setting(value = "16", doc = "Calls in one envelope with `any` or `all`; each takes a slot of `max-in-flight`.")
        int maxBranches,

        @Setting(value = "10s", doc = "The node replaces a worker whose event loop does not respond for this long.")
        Duration stallTimeout,

        @Setting(
                value = "1m",
                doc = "A full node that accepts no message for this long, because no call ends and no answer is"
                        + " confirmed, is not ready at `/readyz`.")
        Duration progressTimeout) {

    /** The settings of an empty configuration. */
    public static final WorkerSettings DEFAULTS = new WorkerSettings(
            0,
            300,
            1_000,
            2_000,
            DataSize.ofMebibytes(256),
            10_000,
            75,
            16,
            Duration.ofSeconds(10),
            Duration.ofMinutes(1));

    public WorkerSettings {
        new SettingsValidator()
                .checkRange("threads", threads, 0, 1_024)
                .checkRange("max-in-flight", maxInFlight, 1, 1_000_000)
                .checkRange("max-unconfirmed", maxUnconfirmed, 1, 1_000_000)
                .checkRange("max-waiting", maxWaiting, 0, 1_000_000)
                .checkRange("max-destinations", maxDestinations, 1, 1_000_000)
                .checkRange("max-unconfigured-percent", maxUnconfiguredPercent, 1, 100)
                .checkRange("max-in-flight-bytes", maxInFlightBytes, DataSize.ofMebibytes(1), new DataSize(1L << 40))
                .checkRange("max-branches", maxBranches, 1, 1_000)
                .check(
                        stallTimeout.toMillis() >= 1_000,
                        "stall-timeout",
                        "must be at least 1s: " + DurationText.format(stallTimeout))
                .check(
                        progressTimeout.toMillis() >= 1_000,
                        "progress-timeout",
                        "must be at least 1s: " + DurationText.format(progressTimeout))
                .throwIfInvalid();
    }

    /**
     * Returns these settings with another size.
     *
     * @throws io.iocluster.settings.InvalidSettingsException if a value is out of its range
     */
    public WorkerSettings withSize(int threads, int maxInFlight) {
        return new WorkerSettings(
                threads,
                maxInFlight,
                maxUnconfirmed,
                maxWaiting,
                maxInFlightBytes,
                maxDestinations,
                maxUnconfiguredPercent,
                maxBranches,
                stallTimeout,
                progressTimeout);
    }

    /** Returns these settings with another limit of bytes. */
    public WorkerSettings withMaxInFlightBytes(DataSize bytes) {
        return new WorkerSettings(
                threads,
                maxInFlight,
                maxUnconfirmed,
                maxWaiting,
                bytes,
                maxDestinations,
                maxUnconfiguredPercent,
                maxBranches,
                stallTimeout,
                progressTimeout);
    }

    /** Returns the number of event loops on this machine. */
    public int effectiveThreads() {
        return threads == 0 ? Runtime.getRuntime().availableProcessors() : threads;
    }
}
