package io.iocluster.pipeline;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** How much a node does at once. */
public record WorkerSettings(
        @Setting(value = "0", doc = "Event-loop threads; 0: one for each core.")
        int threads,

        @Setting(
                value = "300",
                doc = "Most calls open at once on this node. With non-blocking IO this is the number to raise"
                        + " when lag grows and the CPU idles.")
        int maxInFlight,

        @Setting(
                value = "1000",
                doc = "Most calls that have ended and whose answers the broker has not confirmed; beyond that no"
                        + " further call begins.")
        int maxUnconfirmed,

        @Setting(
                value = "2000",
                doc = "Most calls that wait for their destinations together, retries included; one destination gets at"
                        + " most half of the room that is left.")
        int maxWaiting,

        @Setting(
                value = "256MiB",
                doc = "Most bytes held by calls in flight, waiting calls and unconfirmed answers: received and decoded"
                        + " envelopes, answers' bodies and encoded answers. Each POST or PATCH in flight reserves"
                        + " `http.max-response-body` of it.")
        DataSize maxInFlightBytes,

        @Setting(
                value = "10000",
                doc = "Most destinations, a host and its port each, that are told apart at one time; further ones share"
                        + " one line and one limit.")
        int maxDestinations,

        @Setting(
                value = "75",
                doc = "Most slots of `max-in-flight`, in percent, that destinations without an entry in `destinations`"
                        + " hold together. Applies only if `destinations` has entries; the rest is reserved for them.")
        int maxUnconfiguredPercent,

        @Setting(
                value = "16",
                doc = "Most calls that one envelope may ask for with `any` or `all`; each has a place of its own among"
                        + " the calls in flight.")
        int maxBranches,

        @Setting(value = "10s", doc = "A worker whose event loop does not turn for this long is replaced.")
        Duration stallTimeout,

        @Setting(
                value = "1m",
                doc = "A full node that accepts no message for this long, because no call ends and no answer is"
                        + " confirmed, reports at `/readyz` that it is not ready.")
        Duration progressTimeout) {

    /** What holds where the configuration says nothing. */
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
     * The same settings for another size.
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

    /** How many event loops that is on this machine. */
    public int effectiveThreads() {
        return threads == 0 ? Runtime.getRuntime().availableProcessors() : threads;
    }
}
