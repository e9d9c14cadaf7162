package io.iocluster.node.egress;

import io.iocluster.testkit.process.TempDirectory;
import io.iocluster.testkit.target.BlackHole;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Hostile targets, names and certificates on the only loopback address that the node may call, and a trap on all
 * other addresses. Owned by one test class.
 */
final class HostileTargets implements AutoCloseable {

    /** The only allowed private address. */
    static final String ALLOWED = "127.0.0.2";

    final ConnectionTrap trap = new ConnectionTrap();
    final RawTarget target = new RawTarget(allowed());
    final RawTarget early = new RawTarget(allowed());
    final RawTarget stale = new RawTarget(allowed());
    final RawTarget trusted;
    final RawTarget expired;
    final RawTarget ofAnotherHost;
    final RawTarget selfSigned;
    final BlackHole blackHole = BlackHole.open(ALLOWED);
    final Path trustStore;
    private final RebindingNameServer names = new RebindingNameServer(Map.of(
            "private.example", List.of(List.of("127.0.0.1")),
            "both.example", List.of(List.of("1.1.1.1", "127.0.0.1")),
            "families.example", List.of(List.of(ALLOWED, "fd00:ec2::254")),
            "rebinding.example", List.of(List.of(ALLOWED), List.of("127.0.0.1")),
            "lost.example", List.of()));
    private final TempDirectory folder = new TempDirectory("hostile");

    HostileTargets() throws Exception {
        TargetBehaviour.prepare();
        Certificates certificates = new Certificates();
        trusted = new RawTarget(allowed(), certificates.good(ALLOWED));
        expired = new RawTarget(allowed(), certificates.expired(ALLOWED));
        ofAnotherHost = new RawTarget(allowed(), certificates.ofAnotherHost());
        selfSigned = new RawTarget(allowed(), certificates.selfSigned(ALLOWED));
        trustStore = certificates.trustStore(folder.resolve("trust.p12"));
    }

    private static InetAddress allowed() {
        try {
            return InetAddress.getByName(ALLOWED);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns the node configuration for these targets. */
    String[] settings() {
        String ports = Stream.concat(
                        Stream.of(80, 443, trap.port(), blackHole.port()),
                        targets().map(RawTarget::port))
                .map(String::valueOf)
                .collect(Collectors.joining(", "));
        return new String[] {
            "egress: {ports: [" + ports + "], allow-networks: [" + ALLOWED + "]}",
            // The resolver repeats a query that is slow on a busy machine, and this name server would give the next
            // answer.
            "http: {timeout: 60s, deadline: 90s, connect-timeout: 60s, max-request-body: 1KiB, dns: {servers: [\""
                    + names.address() + "\"], query-timeout: 10s}}",
            // All cases share one destination, so no case may open its breaker or exhaust its limits.
            "destination-defaults: {breaker: {enabled: false}, retry: {max-retry-after: 0s, budget: {min-per-second: 1000}}}",
            "workers: {threads: 1}",
            "credentials: {elsewhere: {hosts: other.example, schemes: [https, http], bearer: t}, here: {hosts: "
                    + ALLOWED + ", schemes: [https, http], headers: {X-Key: k}}}"
        };
    }

    private Stream<RawTarget> targets() {
        return Stream.of(target, early, stale, trusted, expired, ofAnotherHost, selfSigned);
    }

    /** Returns the JVM options that make it trust only the authority of the certificates. */
    Map<String, String> trust() {
        return Map.of(
                "javax.net.ssl.trustStore",
                trustStore.toString(),
                "javax.net.ssl.trustStorePassword",
                Certificates.PASSWORD);
    }

    @Override
    public void close() {
        List<AutoCloseable> all = new ArrayList<>(targets().toList());
        all.addAll(List.of(trap, blackHole, names, folder));
        for (AutoCloseable each : all) {
            try {
                each.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
