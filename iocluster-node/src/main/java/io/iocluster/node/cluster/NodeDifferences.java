package io.iocluster.node.cluster;

import io.iocluster.node.cluster.ClusterSnapshot.LiveNode;
import io.iocluster.node.cluster.NodeAnnouncement.Identity;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Which nodes differ from most others. Immutable. Configurations are compared among nodes of one version only, because a version adds
 * settings.
 *
 * @param otherVersion nodes that do not have the most frequent version
 * @param version the most frequent version; empty without nodes
 * @param otherConfiguration nodes that do not have the most frequent configuration of their version
 * @param configurations number of different configurations
 */
record NodeDifferences(
        List<LiveNode> otherVersion, String version, List<LiveNode> otherConfiguration, int configurations) {

    static NodeDifferences of(List<LiveNode> nodes) {
        Map<String, List<LiveNode>> byVersion = group(nodes, Identity::version);
        String version = mostFrequent(byVersion);
        List<LiveNode> otherConfiguration = byVersion.values().stream()
                .flatMap(same -> {
                    Map<String, List<LiveNode>> byHash = group(same, Identity::configuration);
                    return except(byHash, mostFrequent(byHash)).stream();
                })
                .toList();
        int configurations = (int) nodes.stream()
                .map(node -> node.announcement().id())
                .map(id -> id.version() + " " + id.configuration())
                .distinct()
                .count();
        return new NodeDifferences(except(byVersion, version), version, otherConfiguration, configurations);
    }

    boolean hasOtherVersion(LiveNode node) {
        return otherVersion.contains(node);
    }

    boolean hasOtherConfiguration(LiveNode node) {
        return otherConfiguration.contains(node);
    }

    private static Map<String, List<LiveNode>> group(List<LiveNode> nodes, Function<Identity, String> property) {
        return nodes.stream()
                .collect(Collectors.groupingBy(
                        node -> property.apply(node.announcement().id()), TreeMap::new, Collectors.toList()));
    }

    /** Returns the key of the largest group; of several, the one of the node that has run longest, which is the older one. */
    private static String mostFrequent(Map<String, List<LiveNode>> groups) {
        return groups.entrySet().stream()
                .max(Comparator.<Map.Entry<String, List<LiveNode>>>comparingInt(
                                group -> group.getValue().size())
                        .thenComparingLong(group -> group.getValue().stream()
                                .mapToLong(node -> node.announcement().id().uptimeMillis())
                                .max()
                                .orElse(0)))
                .map(Map.Entry::getKey)
                .orElse("");
    }

    private static List<LiveNode> except(Map<String, List<LiveNode>> groups, String key) {
        return groups.entrySet().stream()
                .filter(group -> !group.getKey().equals(key))
                .map(Map.Entry::getValue)
                .flatMap(Collection::stream)
                .toList();
    }
}
