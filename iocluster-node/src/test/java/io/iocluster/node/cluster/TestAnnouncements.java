package io.iocluster.node.cluster;

import io.iocluster.node.cluster.NodeAnnouncement.AppLoad;
import io.iocluster.node.cluster.NodeAnnouncement.Apps;
import io.iocluster.node.cluster.NodeAnnouncement.DestinationLoad;
import io.iocluster.node.cluster.NodeAnnouncement.Identity;
import io.iocluster.node.cluster.NodeAnnouncement.Lags;
import io.iocluster.node.cluster.NodeAnnouncement.Load;
import io.iocluster.node.cluster.NodeAnnouncement.NodeProblem;
import io.iocluster.node.cluster.NodeAnnouncement.QueueLag;
import io.iocluster.node.cluster.NodeAnnouncement.Saturated;
import java.util.List;
import java.util.stream.IntStream;

/** Sample announcements. */
final class TestAnnouncements {

    static final String VERSION = "1.0.0";
    static final String HASH = "0123456789ab";

    private TestAnnouncements() {}

    /** Returns an instance id that ends with this number. */
    static String instance(int number) {
        return String.format("%016x", number);
    }

    static Identity identity(String name, int instance) {
        return identity(name, instance, VERSION, HASH);
    }

    static Identity identity(String name, int instance, String version, String configuration) {
        return new Identity(
                name, instance(instance), "host", "127.0.0.1:8080", version, configuration, "kafka", 60_000 + instance);
    }

    /** Returns the announcement of a node that is idle. */
    static NodeAnnouncement idle(String name, int instance) {
        return idle(identity(name, instance));
    }

    static NodeAnnouncement idle(Identity identity, NodeProblem... problems) {
        return new NodeAnnouncement(
                NodeAnnouncement.VERSION,
                identity,
                false,
                2_000,
                0,
                "running",
                new Load(0, 300, 2, 0, 0, 0, 0.01, 0.01, 0L, false, false, null, null, List.of()),
                0,
                null,
                new Lags(0L, 0, List.of(new QueueLag("requests", 0, 0, 0, false)), 0),
                List.of(),
                List.of(problems),
                "source-empty",
                "no message waits",
                Apps.NONE,
                null);
    }

    /** Returns an announcement with as much of everything as a node announces, and with texts of this length. */
    static NodeAnnouncement full(int textLength, String character) {
        String text = character.repeat(textLength);
        return new NodeAnnouncement(
                NodeAnnouncement.VERSION,
                identity("node-1", 1),
                false,
                2_000,
                0,
                "running",
                new Load(
                        300,
                        300,
                        2,
                        1_000,
                        50,
                        123_456_789,
                        0.312,
                        0.456,
                        987_654L,
                        false,
                        true,
                        null,
                        text,
                        list(3, i -> new Saturated(text, text, 100))),
                1_234.5,
                0.012,
                new Lags(987_654L, 60_000, list(25, i -> new QueueLag(text, i, 40_000, 60_000, false)), 0),
                list(10, i -> new DestinationLoad(text, 30, 100, 500, 123.4, 0.01, "half-open")),
                list(5, i -> new NodeProblem("destination-failing", true, text, text, text)),
                "target-saturated",
                text,
                new Apps(1_234.5, list(12, i -> new AppLoad(text, 123.4, 1.5, 30, 500)), 200),
                new Lease(1_500, 123_456_789, true));
    }

    private static <T> List<T> list(int count, java.util.function.IntFunction<T> each) {
        return IntStream.range(0, count).mapToObj(each).toList();
    }
}
