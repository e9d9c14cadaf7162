package io.iocluster.node;

import io.iocluster.testkit.broker.RabbitBroker;
import io.iocluster.testkit.process.ScratchFolder;
import io.iocluster.testkit.target.TargetServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A RabbitMQ, a target that keeps a ledger, and nodes as processes of their own, which declare the queues. Owned by one test. */
final class RabbitNodes implements AutoCloseable {

    static final String REQUESTS = "requests";
    static final String ANSWERS = "answers";
    static final String DEAD_LETTERS = "dead-letters";

    final RabbitBroker broker = RabbitBroker.launch();
    final TargetServer target = TargetServer.start();
    private final ScratchFolder folder = new ScratchFolder("rabbit-nodes");
    private final List<NodeProcess> nodes = new ArrayList<>();

    /** Writes a node's configuration; the lines are added to it, indented as they belong. */
    Path configure(String id, String... lines) {
        String text = """
                node: {id: %s}
                transport: rabbit
                rabbit:
                  uris: ["%s"]
                  requests: {queue: %s}
                  answers: {routing-key: %s}
                  dead-letters: {queue: %s}
                  declare: {enabled: true}
                egress: {ports: [], allow-networks: [127.0.0.0/8]}
                admin: {port: 0}
                %s
                """.formatted(id, broker.uri(), REQUESTS, ANSWERS, DEAD_LETTERS, String.join("\n", lines));
        try {
            return Files.writeString(folder.resolve(id + ".yaml"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a node, {@linkplain #configure configured} so, and returns at once. */
    NodeProcess start(String id, String... lines) {
        NodeProcess node = NodeProcess.start(List.of(), configure(id, lines), folder.resolve(id + ".log"));
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
