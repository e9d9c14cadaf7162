package io.iocluster.door.config;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** Limits what callers use of the door. */
public record DoorLimits(
        @Setting(value = "1000", doc = "Maximum number of open connections. Further ones are closed.")
        int maxConnections,

        @Setting(
                value = "1000",
                doc = "Maximum number of calls that the door works on at the same time. Further ones get 429.")
        int maxInFlight,

        @Setting(value = "2MiB", doc = "Maximum size of a request body, and of one line of a batch.")
        DataSize maxBody,

        @Setting(
                value = "32MiB",
                doc = "Maximum total size of the request bodies that the door holds at the same time. Further requests"
                        + " get 429.")
        DataSize maxBodies,

        @Setting(value = "16KiB", doc = "Maximum total size of the headers of a request.")
        DataSize maxHeaders,

        @Setting(
                value = "10s",
                doc = "Longest time for a caller to send a request: the headers of the first one of a connection, and"
                        + " each body.")
        Duration bodyTimeout,

        @Setting(value = "100", doc = "Maximum number of calls of one batch that are made at the same time.")
        int batchInFlight,

        @Setting(value = "10m", doc = "Longest duration of a batch.")
        Duration batchDuration) {

    public DoorLimits {
        new SettingsValidator()
                .checkRange("max-connections", maxConnections, 1, 1_000_000)
                .checkRange("max-in-flight", maxInFlight, 1, 1_000_000)
                .checkRange("max-body", maxBody, new DataSize(1024), DataSize.ofMebibytes(256))
                .check(
                        maxBodies.bytes() >= maxBody.bytes(),
                        "max-bodies",
                        "must not be below max-body, which is " + maxBody)
                .checkRange("max-headers", maxHeaders, new DataSize(1024), DataSize.ofMebibytes(1))
                .checkPositive("body-timeout", bodyTimeout)
                .checkRange("batch-in-flight", batchInFlight, 1, 100_000)
                .checkPositive("batch-duration", batchDuration)
                .throwIfInvalid();
    }
}
