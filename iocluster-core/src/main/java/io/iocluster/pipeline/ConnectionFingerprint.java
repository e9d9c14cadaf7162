package io.iocluster.pipeline;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpSettings;
import io.iocluster.settings.FileDigests;
import io.iocluster.settings.SettingsDigest;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings that workers and their connections depend on, including the content of the TLS files. As long as two fingerprints are
 * equal, the workers can stay. Immutable.
 *
 * @param http the HTTP settings, with defaults for those that are read for each call
 * @param hostProfiles the connection settings of each group of hosts
 */
record ConnectionFingerprint(HttpSettings http, List<HostProfile> hostProfiles, FileDigests files) {

    /** The connection settings of these hosts; an empty list means all other hosts. */
    record HostProfile(List<String> hosts, HttpProfile profile) {}

    static ConnectionFingerprint of(PipelineSettings settings) {
        List<HostProfile> profiles = new ArrayList<>();
        for (DestinationSettings each : settings.destinations()) {
            profiles.add(new HostProfile(each.match(), each.policy().httpProfile()));
        }
        DestinationPolicy defaults = settings.destinationDefaults();
        profiles.add(new HostProfile(List.of(), defaults.httpProfile()));
        return new ConnectionFingerprint(
                forWorkers(settings.http()), List.copyOf(profiles), FileDigests.read(settings.tlsFiles()));
    }

    /** Returns the hash of everything that the nodes' stored responses depend on besides their requests. */
    byte[] generation(PipelineSettings settings) {
        return SettingsDigest.withoutSecrets(List.of(settings.egress(), settings.producers(), this));
    }

    /** Keeps what workers read. The connect timeout and HTTP/2 are part of the host profiles. */
    private static HttpSettings forWorkers(HttpSettings settings) {
        HttpSettings defaults = HttpSettings.DEFAULTS;
        return new HttpSettings(
                defaults.connectTimeout(),
                defaults.timeout(),
                defaults.deadline(),
                defaults.maxDeadline(),
                defaults.maxTimeout(),
                settings.maxResponseBody(),
                settings.whenBodyTooLarge(),
                settings.maxResponseHeaders(),
                settings.maxResponseHeaderCount(),
                defaults.maxRequestBody(),
                settings.idleTimeout(),
                settings.connectionsPerDestination(),
                settings.maxIdleConnections(),
                settings.maxIdleConnectionsPerHost(),
                settings.concurrentConnects(),
                defaults.http2(),
                settings.dns(),
                defaults.cache());
    }
}
