package io.iocluster.node.fault;

import io.iocluster.testkit.broker.KafkaBroker;
import io.iocluster.testkit.process.ScratchFolder;
import io.iocluster.testkit.target.TargetServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a fault is played on: a broker, a target that keeps a ledger, and nodes as processes of their own. Owned by one test.
 */
final class Stage implements AutoCloseable {

    private static final int PARTITIONS = 12;
    private static final String REQUESTS = "requests";
    private static final String ANSWERS = "answers";

    final KafkaBroker broker;
    final TargetServer target = TargetServer.start();
    private final ScratchFolder folder = new ScratchFolder("fault");
    private final List<NodeProcess> nodes = new ArrayList<>();

    Stage() {
        // A killed node's partitions are given away as soon as the broker allows, so that tests need not wait 45 s.
        broker = KafkaBroker.launch(Map.of(
                "group.consumer.session.timeout.ms", "6000",
                "group.consumer.min.session.timeout.ms", "6000",
                "group.consumer.heartbeat.interval.ms", "1000",
                "group.consumer.min.heartbeat.interval.ms", "1000"));
        for (String topic : List.of(REQUESTS, ANSWERS, "dead-letters")) {
            broker.createTopic(topic, PARTITIONS, Map.of());
        }
    }

    Requests requests() {
        return new Requests(broker.bootstrapServers(), REQUESTS);
    }

    /** Reads every answer from the beginning on. */
    AnswerLedger answers() {
        return new AnswerLedger(broker.bootstrapServers(), ANSWERS);
    }

    /** Starts a node and returns at once; the lines are added to its configuration, indented as they belong. */
    NodeProcess startNode(String id, String ordering, String... lines) {
        Path config = folder.resolve(id + ".yaml");
        String text =
                """
                node: {id: %s}
                kafka:
                  bootstrap-servers: %s
                  requests: {topics: [%s], group: fault, ordering: %s}
                  answers: {topic: %s}
                  dead-letters: {topic: dead-letters}
                egress: {ports: [], allow-networks: [127.0.0.0/8]}
                admin: {port: 0}
                %s
                """.formatted(id, broker.bootstrapServers(), REQUESTS, ordering, ANSWERS, String.join("\n", lines));
        try {
            Files.writeString(config, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        NodeProcess node = NodeProcess.start(config, folder.resolve(id + ".log"));
        nodes.add(node);
        return node;
    }

    @Override
    public void close() {
        nodes.forEach(NodeProcess::close);
        target.close();
        broker.close();
        folder.close();
    }
}
