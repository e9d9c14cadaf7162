package io.iocluster.door.config;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** Limits what callers use of the door. */
public record DoorLimits(
        @Setting(value = "1000", doc = "Open connections of each port. Further ones are closed.")
        int maxConnections,

        @Setting(
                value = "10000",
                live = true,
                doc = "Requests over HTTP whose response the caller has not read completely, and as many over gRPC."
                        + " Further ones get 429.")
        int maxRequests,

        @Setting(
                value = "1000",
                live = true,
                doc = "Calls that the door works on; each branch of an envelope counts. Further ones get 429.")
        int maxInFlight,

        @Setting(
                value = "2MiB",
                doc = "Maximum size of a request body, of one line of a batch, and of one message over gRPC.")
        DataSize maxBody,

        @Setting(
                value = "32MiB",
                live = true,
                doc = "Total size of the request bodies that the door holds, as they arrived and as they were read."
                        + " Further requests get 429. At least three times `max-body`. One app may have half of it,"
                        + " or three times `max-body` if that is more.")
        DataSize maxBodies,

        @Setting(
                value = "32MiB",
                live = true,
                doc = "Total size of the responses that callers have not read. New calls of an app get 429 while it"
                        + " has more than a quarter, and those of all apps while they have more than three quarters."
                        + " Beyond half for an app, or the whole, the door disconnects the callers that have read"
                        + " nothing for longest, of the app with the most.")
        DataSize maxAnswers,

        @Setting(value = "16KiB", doc = "Maximum total size of the headers of a request.")
        DataSize maxHeaders,

        @Setting(
                value = "10s",
                doc = "Longest time for a caller to send the headers of a request, its body, and a line of a batch.")
        Duration bodyTimeout,

        @Setting(
                value = "30s",
                live = true,
                doc = "Longest time for a caller to read a response, or one answer of a batch or stream. Then its"
                        + " connection is closed.")
        Duration readTimeout,

        @Setting(
                value = "100",
                live = true,
                doc = "Calls of one batch, or of one stream over gRPC, that are made at the same time.")
        int batchInFlight,

        @Setting(value = "10m", live = true, doc = "Longest duration of a batch, or of a stream of calls over gRPC.")
        Duration batchDuration) {

    /** Largest value of {@code max-in-flight}. */
    public static final int MAX_IN_FLIGHT = 1_000_000;

    /** Number of the largest bodies that {@code max-bodies} must hold. */
    private static final int BODIES = 3;

    /** Returns the size of the request bodies that one app may always have: enough for the largest body, as it arrived and as it was read. */
    public long minBodies() {
        return BODIES * maxBody.bytes();
    }

    public DoorLimits {
        new SettingsValidator()
                .checkRange("max-connections", maxConnections, 1, 1_000_000)
                .checkRange("max-in-flight", maxInFlight, 1, MAX_IN_FLIGHT)
                .checkRange("max-body", maxBody, new DataSize(1024), DataSize.ofMebibytes(256))
                .checkRange("max-requests", maxRequests, 1, 1_000_000)
                .check(
                        maxBodies.bytes() >= BODIES * maxBody.bytes(),
                        "max-bodies",
                        "must be at least " + BODIES + " times max-body, which is " + maxBody
                                + ", because the door holds a body as it arrived and as it was read: " + maxBodies)
                .checkRange("max-answers", maxAnswers, DataSize.ofMebibytes(1), DataSize.ofMebibytes(64 * 1024))
                .checkPositive("read-timeout", readTimeout)
                .checkRange("max-headers", maxHeaders, new DataSize(1024), DataSize.ofMebibytes(1))
                .checkPositive("body-timeout", bodyTimeout)
                .checkRange("batch-in-flight", batchInFlight, 1, 100_000)
                .checkPositive("batch-duration", batchDuration)
                .throwIfInvalid();
    }
}
