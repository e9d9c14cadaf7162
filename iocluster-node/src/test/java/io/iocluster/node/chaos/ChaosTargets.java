package io.iocluster.node.chaos;

import io.iocluster.testkit.chaos.TargetRole;
import io.iocluster.testkit.chaos.invariant.ObservedRequests;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.target.TargetServer;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** The targets of planned calls: one server for each role, on its own address and thus its own destination. */
final class ChaosTargets implements AutoCloseable {

    private final Map<TargetRole, TargetServer> servers = new EnumMap<>(TargetRole.class);
    private final int absentPort = FreePorts.find(1)[0];

    ChaosTargets() {
        servers.put(TargetRole.HEALTHY, TargetServer.start("127.0.0.1", 0, 1, true));
        servers.put(TargetRole.SLOW, TargetServer.start("127.0.0.2", 0, 1, true));
        servers.put(TargetRole.HOSTILE, TargetServer.start("127.0.0.3", 0, 1, true));
    }

    /** Returns the address of a target, without a path. */
    String url(TargetRole role) {
        return role == TargetRole.ABSENT
                ? "http://127.0.0.4:" + absentPort
                : servers.get(role).url("");
    }

    /** Returns the requests by id. */
    Map<String, ObservedRequests> requests() {
        Map<String, ObservedRequests> all = new HashMap<>();
        for (TargetServer server : servers.values()) {
            Map<String, Integer> onUsedConnections = server.requestLog().countsOnUsedConnections();
            server.requestLog()
                    .counts()
                    .forEach((id, count) -> all.merge(
                            id,
                            new ObservedRequests(count, onUsedConnections.getOrDefault(id, 0)),
                            ObservedRequests::plus));
        }
        return all;
    }

    /** Returns the number of open requests. */
    int open() {
        return servers.values().stream()
                .mapToInt(server -> server.requestLog().open())
                .sum();
    }

    /** Forgets all requests. */
    void reset() {
        servers.values().forEach(server -> server.requestLog().reset());
    }

    @Override
    public void close() {
        servers.values().forEach(TargetServer::close);
    }
}
