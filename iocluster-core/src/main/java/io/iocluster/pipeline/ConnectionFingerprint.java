package io.iocluster.pipeline;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpSettings;
import io.iocluster.settings.FileDigests;
import java.util.ArrayList;
import java.util.List;

/**
 * All that workers are made from, the content of files included: while it stays the same, they and their connections stay good.
 *
 * @param http with the defaults in the place of what is asked for at each call
 * @param ways how each host is connected to
 */
record ConnectionFingerprint(HttpSettings http, List<HostProfile> hostProfiles, FileDigests files) {

    /** How these hosts are connected to; none stands for all others. */
    record HostProfile(List<String> hosts, HttpProfile profile) {}

    static ConnectionFingerprint of(PipelineSettings settings) {
        List<HostProfile> ways = new ArrayList<>();
        for (DestinationSettings each : settings.destinations()) {
            ways.add(new HostProfile(each.match(), each.policy().httpProfile()));
        }
        DestinationPolicy others = settings.destinationDefaults();
        ways.add(new HostProfile(List.of(), others.httpProfile()));
        return new ConnectionFingerprint(
                forWorkers(settings.http()), List.copyOf(ways), FileDigests.read(settings.tlsFiles()));
    }

    /** The time for a connection and HTTP/2 are in the ways. */
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
                settings.concurrentConnects(),
                defaults.http2(),
                settings.dns());
    }
}
