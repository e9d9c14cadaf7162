package io.iocluster.door.config;

import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.settings.LoopbackHost;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Settings of the door, the server for callers. */
public record DoorSettings(
        @Setting(
                value = "queue",
                doc = "`queue`: nodes make the calls, which the door puts on the queue of the top-level `transport`."
                        + " `local`: the door makes the calls itself, without a broker.")
        DoorTransport transport,

        @Setting(
                value = "127.0.0.1",
                doc = "Address to listen on. An address that is not a loopback address requires the token of an app, or"
                        + " `door.tls.client-ca`.")
        String host,

        @Setting(value = "8081", doc = "Port to listen on. 0: any free port; the door logs which one.")
        int port,

        @Setting(doc = "The gRPC server of the door.") DoorGrpcSettings grpc,

        @Setting(doc = "TLS of the door.") ServerTlsSettings tls,

        @Setting(live = true, doc = "Apps with a token or with their own limits.")
        List<DoorAppSettings> apps,

        @Setting(value = "30s", live = true, doc = "Longest duration of a call whose envelope has no `deadlineMs`.")
        Duration deadline,

        @Setting(value = "5m", live = true, doc = "Longest duration of any call. Limits the `deadlineMs` of envelopes.")
        Duration maxDeadline,

        @Setting(doc = "Limits what callers use of the door.")
        DoorLimits limits,

        @Setting(doc = "The answers to asynchronous calls.") KeptAnswerSettings answers,

        @Setting(doc = "Stores asynchronous calls on disk while the broker is away.")
        SpoolSettings spool,

        @Setting(
                value = "errors",
                live = true,
                doc = "Which requests the door logs; `errors`: those with status 400 or more.")
        AccessLogPolicy accessLog) {

    public DoorSettings {
        apps = List.copyOf(apps);
        SettingsValidator validator = new SettingsValidator()
                .checkNotBlank("host", host)
                .checkRange("port", port, 0, 65_535)
                .check(
                        !grpc.enabled() || port == 0 || grpc.port() != port,
                        "grpc.port",
                        "must not be the port of HTTP, which is " + port)
                .checkPositive("deadline", deadline)
                .check(maxDeadline.compareTo(deadline) >= 0, "max-deadline", "must not be below deadline")
                .check(maxDeadline.toDays() <= 1, "max-deadline", "must be at most 1d")
                .check(
                        LoopbackHost.matches(host) || requiresToken(apps) || tls.requiresClientCertificate(),
                        "host",
                        "is not a loopback address; give an app a token, or set door.tls.client-ca: " + host);
        validator.check(
                transport == DoorTransport.QUEUE || !spool.isEnabled(),
                "spool.folder",
                "must not be set with door.transport: local, because there is no broker to wait for");
        DoorAppSettings.checkUniqueNamesAndTokens(validator, apps);
        validator.throwIfInvalid();
    }

    private static boolean requiresToken(List<DoorAppSettings> apps) {
        return apps.stream().anyMatch(app -> !app.token().isEmpty());
    }

    /** Returns whether every request needs the token of an app. */
    public boolean requiresToken() {
        return requiresToken(apps);
    }

    /**
     * Checks that each destination of an app is the name of a destination or a host.
     *
     * @throws io.iocluster.settings.InvalidSettingsException if one is not
     */
    public void checkDestinations(List<DestinationSettings> configured) {
        Set<String> names = hostsByName(configured).keySet();
        SettingsValidator validator = new SettingsValidator();
        validator.checkEach("door.apps", apps, (path, app) -> app.checkDestinations(validator, path, names));
        validator.throwIfInvalid();
    }

    /** Returns a copy in which apps have the hosts of the destinations that they name. */
    public DoorSettings withHosts(List<DestinationSettings> configured) {
        Map<String, List<String>> hosts = hostsByName(configured);
        List<DoorAppSettings> resolved =
                apps.stream().map(app -> app.withHosts(hosts)).toList();
        return new DoorSettings(
                transport, host, port, grpc, tls, resolved, deadline, maxDeadline, limits, answers, spool, accessLog);
    }

    private static Map<String, List<String>> hostsByName(List<DestinationSettings> configured) {
        return configured.stream().collect(Collectors.toMap(DestinationSettings::name, DestinationSettings::match));
    }
}
