package io.iocluster.node.cluster;

import io.iocluster.node.cluster.ClusterSnapshot.LiveNode;
import io.iocluster.node.cluster.ClusterSnapshot.LostNode;
import io.iocluster.node.cluster.NodeAnnouncement.NodeProblem;
import io.iocluster.node.problem.Causes;
import io.iocluster.node.problem.Problem.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.Collectors;

/** Derives the problems of a cluster from what its nodes announce. */
final class ClusterProblemDetector {

    static final String VIEW_OUTDATED = "view-outdated";
    static final String CLOCK_DIFFERS = "clock-differs";

    private static final String DESTINATION_FAILING = Kind.DESTINATION_FAILING.wireName();
    private static final String BROKER_UNREACHABLE = Kind.BROKER_UNREACHABLE.wireName();

    /** The error share from which a destination does not work on a node. */
    private static final double FAILING = 0.1;

    private static final String CALLS_NOT_MADE = Kind.CALLS_NOT_MADE.wireName();

    /** Deadlines are seconds, so a smaller difference expires no call. Announcements may take some seconds. */
    private static final long MAX_CLOCK_DIFFERENCE_MILLIS = 30_000;

    private static final int MAX_NAMES = 5;

    private ClusterProblemDetector() {}

    /**
     * Returns the problems, most urgent first; empty if nothing is wrong.
     *
     * @param channelProblem why announcements cannot be sent or received; null if they can
     */
    static List<ClusterProblem> detect(ClusterSnapshot cluster, String channelProblem) {
        List<ClusterProblem> problems = new ArrayList<>();
        if (cluster.silent()) {
            // If the broker is away, this node reports that.
            if (!reports(BROKER_UNREACHABLE, self(cluster))) {
                problems.add(silent(cluster, channelProblem));
            }
        } else if (channelProblem != null || cluster.unheard()) {
            String reason = channelProblem == null ? "its own announcements do not arrive." : channelProblem;
            problems.add(problem(
                    "not-announced",
                    "The other nodes do not see this node: " + reason,
                    "Check the broker and the permissions of this node. Calls are not affected, except those to destinations"
                            + " with a limit for the whole cluster."));
        }
        cluster.lost().forEach(lost -> problems.add(lost(lost)));
        List<LiveNode> off = cluster.silent() ? List.of() : withOtherClock(cluster.nodes());
        boolean expires = reports(CALLS_NOT_MADE, cluster.nodes());
        if (!off.isEmpty()) {
            problems.add(clockDiffers(off, cluster.nodes(), expires));
        }
        ofNodes(cluster.nodes()).stream()
                .filter(each -> off.isEmpty() || !each.kind().equals(CALLS_NOT_MADE))
                .forEach(problems::add);
        addDuplicates(cluster.nodes(), problems);
        addDifferences(cluster.nodes(), problems);
        problems.sort(Comparator.comparing(ClusterProblem::bad).reversed());
        return List.copyOf(problems);
    }

    private static List<LiveNode> self(ClusterSnapshot cluster) {
        return cluster.nodes().stream().filter(LiveNode::self).toList();
    }

    private static boolean reports(String kind, List<LiveNode> nodes) {
        return nodes.stream()
                .flatMap(node -> node.announcement().problems().stream())
                .anyMatch(each -> each.kind().equals(kind));
    }

    /** Returns the nodes whose clock differs from the median of all; of two nodes both. */
    private static List<LiveNode> withOtherClock(List<LiveNode> nodes) {
        if (nodes.isEmpty()) {
            return List.of();
        }
        List<Long> sorted =
                nodes.stream().map(LiveNode::clockAheadMillis).sorted().toList();
        long low = sorted.get((sorted.size() - 1) / 2);
        long high = sorted.get(sorted.size() / 2);
        return nodes.stream()
                .filter(node ->
                        Math.max(Math.abs(node.clockAheadMillis() - low), Math.abs(node.clockAheadMillis() - high))
                                > MAX_CLOCK_DIFFERENCE_MILLIS)
                .toList();
    }

    private static ClusterProblem clockDiffers(List<LiveNode> off, List<LiveNode> nodes, boolean expires) {
        LongSummaryStatistics ahead =
                nodes.stream().mapToLong(LiveNode::clockAheadMillis).summaryStatistics();
        return new ClusterProblem(
                CLOCK_DIFFERS,
                expires,
                "",
                names(off),
                "The clocks of the nodes differ by " + (ahead.getMax() - ahead.getMin()) / 1_000 + " s: look at "
                        + joined(names(off)) + "."
                        + (expires ? " Calls expire because of it." : ""),
                "Synchronize the clocks of the machines (NTP). A node compares deadlines with the times of the messages.");
    }

    private static ClusterProblem silent(ClusterSnapshot cluster, String channelProblem) {
        // The messages of some clients end with a full stop.
        String reason = channelProblem == null ? "" : ": " + channelProblem.replaceFirst("\\.$", "");
        String shown = cluster.nodes().size() > 1 ? " The other nodes are shown as they were." : "";
        return problem(
                VIEW_OUTDATED,
                "No announcement has arrived for " + cluster.silentMillis() / 1_000 + " s" + reason + "." + shown,
                "Check the broker, and the topic or exchange of the announcements. Calls are not affected, except"
                        + " those to destinations with a limit for the whole cluster.");
    }

    private static ClusterProblem lost(LostNode lost) {
        return new ClusterProblem(
                "node-lost",
                false,
                lost.name(),
                List.of(lost.name()),
                "Node " + lost.name() + " disappeared without a drain; it was last seen at " + lost.lastSeen() + ".",
                "Find out whether its process was killed or its machine is cut off. Other nodes take over its messages.");
    }

    private static void addDuplicates(List<LiveNode> nodes, List<ClusterProblem> problems) {
        Map<String, Long> processes =
                nodes.stream().collect(Collectors.groupingBy(LiveNode::name, Collectors.counting()));
        processes.forEach((name, count) -> {
            if (count > 1) {
                problems.add(new ClusterProblem(
                        "duplicate-node-id",
                        false,
                        name,
                        List.of(name),
                        count + " processes have the name " + name + ".",
                        "Set a different node.id for each process, or none."));
            }
        });
    }

    private static void addDifferences(List<LiveNode> nodes, List<ClusterProblem> problems) {
        NodeDifferences differences = NodeDifferences.of(nodes);
        if (!differences.otherVersion().isEmpty()) {
            List<String> names = names(differences.otherVersion());
            problems.add(new ClusterProblem(
                    "version-differs",
                    false,
                    "",
                    names,
                    joined(names) + (names.size() == 1 ? " runs" : " run") + " another version than "
                            + differences.version() + ".",
                    "Finish the rollout."));
        }
        if (!differences.otherConfiguration().isEmpty()) {
            List<String> names = names(differences.otherConfiguration());
            problems.add(new ClusterProblem(
                    "configuration-differs",
                    false,
                    "",
                    names,
                    joined(names) + (names.size() == 1 ? " runs another configuration" : " run other configurations")
                            + " than the other nodes.",
                    "Compare /api/config of these nodes, and give all nodes the same file."));
        }
    }

    /**
     * Returns one problem for all nodes that have the same kind of problem with the same subject, unless a problem of another node explains
     * it.
     */
    private static List<ClusterProblem> ofNodes(List<LiveNode> nodes) {
        Map<List<String>, List<LiveNode>> having = new LinkedHashMap<>();
        Map<List<String>, NodeProblem> examples = new LinkedHashMap<>();
        for (LiveNode node : nodes) {
            for (NodeProblem each : node.announcement().problems()) {
                List<String> key = List.of(each.kind(), each.subject());
                having.computeIfAbsent(key, any -> new ArrayList<>()).add(node);
                examples.merge(key, each, (a, b) -> a.bad() ? a : b);
            }
        }
        return having.entrySet().stream()
                .filter(each -> having.keySet().stream()
                        .noneMatch(cause -> Causes.explains(
                                cause.get(0),
                                cause.get(1),
                                each.getKey().get(0),
                                each.getKey().get(1))))
                .sorted(Comparator.comparingInt(
                        each -> Causes.rank(each.getKey().get(0))))
                .map(each -> ofNodes(examples.get(each.getKey()), each.getValue(), nodes))
                .toList();
    }

    private static ClusterProblem ofNodes(NodeProblem example, List<LiveNode> having, List<LiveNode> nodes) {
        int all = nodes.size();
        List<String> names = names(having);
        boolean everywhere = having.size() == all && all > 1;
        String where = everywhere ? "On all " + all + " nodes" : joined(names);
        boolean worksElsewhere = example.kind().equals(DESTINATION_FAILING)
                && nodes.stream().anyMatch(node -> !having.contains(node) && works(example.subject(), node));
        return new ClusterProblem(
                example.kind(),
                example.bad() || (everywhere && example.kind().equals(DESTINATION_FAILING)),
                example.subject(),
                names,
                where + ": " + example.text(),
                example.action(),
                worksElsewhere ? " It works on other nodes: compare their network and configuration." : "");
    }

    private static boolean works(String destination, LiveNode node) {
        return node.announcement().destinations().stream()
                .anyMatch(each ->
                        each.name().equals(destination) && each.errorShare() != null && each.errorShare() < FAILING);
    }

    private static ClusterProblem problem(String kind, String text, String action) {
        return new ClusterProblem(kind, false, "", List.of(), text, action);
    }

    private static List<String> names(List<LiveNode> nodes) {
        return nodes.stream().map(LiveNode::name).distinct().toList();
    }

    private static String joined(List<String> names) {
        int more = names.size() - MAX_NAMES;
        return more <= 0
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, MAX_NAMES)) + " and " + more + " more";
    }
}
