package io.iocluster.door.config;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** The gRPC server of the door. It has the same address, certificates, apps and limits as the HTTP server, and another port. */
public record DoorGrpcSettings(
        @Setting(value = "false", doc = "Whether the door also takes calls over gRPC.")
        boolean enabled,

        @Setting(value = "8082", doc = "Port to listen on. 0: any free port; the door logs which one.")
        int port,

        @Setting(value = "1000", doc = "Open requests of one connection. Clients queue further ones.")
        int maxStreams,

        @Setting(
                value = "10000",
                doc = "Branches, headers and other list entries of one message together, because an empty entry of"
                        + " two bytes needs memory.")
        int maxEntries,

        @Setting(
                value = "10s",
                doc = "Shortest interval between the keep-alive pings of a client. Connections that ping more often"
                        + " are closed.")
        Duration minPingInterval,

        @Setting(value = "1m", doc = "How long a connection may be open without a request.")
        Duration maxConnectionIdle,

        @Setting(
                value = "1h",
                doc = "How long a connection may take new requests. Clients then connect again, and its open"
                        + " requests have `door.limits.batch-duration` to end.")
        Duration maxConnectionAge) {

    public DoorGrpcSettings {
        new SettingsValidator()
                .checkRange("port", port, 0, 65_535)
                .checkRange("max-streams", maxStreams, 1, 100_000)
                .checkRange("max-entries", maxEntries, 1, 1_000_000)
                .checkPositive("min-ping-interval", minPingInterval)
                .checkPositive("max-connection-idle", maxConnectionIdle)
                .checkPositive("max-connection-age", maxConnectionAge)
                .throwIfInvalid();
    }
}
