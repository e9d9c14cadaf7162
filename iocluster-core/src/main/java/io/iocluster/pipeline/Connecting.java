package io.iocluster.pipeline;

import io.iocluster.destination.DestinationPolicy;
import io.iocluster.destination.DestinationSettings;
import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpSettings;
import io.iocluster.settings.FileContents;
import java.util.ArrayList;
import java.util.List;

/**
 * All that workers are made from, the content of files included: while it stays the same, they and their connections stay good.
 *
 * @param http with the defaults in the place of what is asked for at each call
 * @param ways how each host is connected to
 */
record Connecting(HttpSettings http, List<Way> ways, FileContents files) {

    /** How these hosts are connected to; none stands for all others. */
    record Way(List<String> hosts, HttpProfile profile) {}

    static Connecting of(PipelineSettings settings) {
        List<Way> ways = new ArrayList<>();
        for (DestinationSettings each : settings.destinations()) {
            ways.add(new Way(each.match(), each.policy().profile()));
        }
        DestinationPolicy others = settings.others();
        ways.add(new Way(List.of(), others.profile()));
        return new Connecting(forWorkers(settings.http()), List.copyOf(ways), FileContents.of(settings.files()));
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
                settings.keepAlive(),
                settings.connectionsPerDestination(),
                settings.concurrentConnects(),
                defaults.http2(),
                settings.dns());
    }
}
