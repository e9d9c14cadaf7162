package io.iocluster.node.cli.top;

import io.iocluster.node.cli.admin.AdminClient;
import io.iocluster.thread.NodeClock;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * What the nodes said at one time. Immutable.
 *
 * @param nodes by address, in the order of the command line
 * @param cluster what the first of them that answered sees of its cluster; a missing node if none did
 */
record Sample(long nanos, Map<String, NodeSample> nodes, JsonNode cluster) {

    /**
     * The responses of one node.
     *
     * @param problem why the node did not answer, for the user; null if it did, otherwise the other fields are null
     */
    record NodeSample(
            JsonNode status, JsonNode stats, JsonNode destinations, JsonNode attempts, JsonNode apps, String problem) {

        private static NodeSample failed(String problem) {
            return new NodeSample(null, null, null, null, null, problem);
        }

        boolean isReachable() {
            return problem == null;
        }
    }

    /** Asks every node. */
    static Sample of(List<AdminClient> clients, NodeClock clock) throws InterruptedException {
        Map<String, NodeSample> nodes = new LinkedHashMap<>();
        JsonNode cluster = MissingNode.getInstance();
        for (AdminClient client : clients) {
            NodeSample node = node(client);
            nodes.put(client.address(), node);
            if (node.isReachable() && cluster.isMissingNode()) {
                cluster = optional(client, "/api/cluster");
            }
        }
        return new Sample(clock.nanos(), nodes, cluster);
    }

    /** A node of an earlier version has neither a cluster nor apps. */
    private static JsonNode optional(AdminClient client, String path) throws InterruptedException {
        try {
            return client.get(path);
        } catch (IOException unknown) {
            return MissingNode.getInstance();
        }
    }

    private static NodeSample node(AdminClient client) throws InterruptedException {
        try {
            return new NodeSample(
                    client.get("/api/status"),
                    client.get("/api/stats"),
                    client.get("/api/destinations"),
                    client.get("/api/attempts"),
                    optional(client, "/api/apps?limit=1000"),
                    null);
        } catch (IOException unreachable) {
            return NodeSample.failed(unreachable.getMessage());
        }
    }

    boolean isAllReachable() {
        return nodes.values().stream().allMatch(NodeSample::isReachable);
    }
}
