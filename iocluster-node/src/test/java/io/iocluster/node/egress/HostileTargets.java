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
 * Targets, names and certificates that misbehave, on the one loopback address that the node may call, and a trap on all the
 * others. Owned by one test class.
 */
final class HostileTargets implements AutoCloseable {

    /** The only private address that is allowed. */
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

    /** What a node's configuration says of this world. */
    String[] settings() {
        String ports = Stream.concat(
                        Stream.of(80, 443, trap.port(), blackHole.port()),
                        targets().map(RawTarget::port))
                .map(String::valueOf)
                .collect(Collectors.joining(", "));
        return new String[] {
            "egress: {ports: [" + ports + "], allow-networks: [" + ALLOWED + "]}",
            // A name server that a busy machine lets wait is asked again, and this one would then have changed its
            // mind.
            "http: {max-request-body: 1KiB, dns: {servers: [\"" + names.address() + "\"], query-timeout: 10s}}",
            // All rows call one destination, which none of them is to spoil for the others.
            "destination-defaults: {breaker: {enabled: false}, retry: {max-retry-after: 0s, budget: {min-per-second: 1000}}}",
            "workers: {threads: 1}",
            "credentials: {elsewhere: {hosts: other.example, schemes: [https, http], bearer: t}, here: {hosts: "
                    + ALLOWED + ", schemes: [https, http], headers: {X-Key: k}}}"
        };
    }

    private Stream<RawTarget> targets() {
        return Stream.of(target, early, stale, trusted, expired, ofAnotherHost, selfSigned);
    }

    /** As a JVM has to be told, to trust the certificates' authority alone. */
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
