package io.iocluster.node;

import static org.awaitility.Awaitility.await;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.rabbit.client.RabbitRequestPublisher;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.testkit.process.TempDirectory;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.testkit.target.TargetServer;
import io.iocluster.thread.Platform;
import io.iocluster.transport.PublishResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionTimeoutException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Separate queues on a RabbitMQ, a target that records its requests, and nodes as separate processes, which declare
 * the queues. Owned by one test or one test class. The broker belongs to the caller.
 */
public final class RabbitNodeFixture implements AutoCloseable {

    public static final Duration LONG = Duration.ofMinutes(2);

    /**
     * The prefetch, which bounds redeliveries. It is fixed because the node's default grows while calls wait for their
     * destination.
     */
    public static final int PREFETCH = 600;

    private static final AtomicInteger MADE = new AtomicInteger();

    public final RabbitBroker broker;
    public final String requests;
    public final String answers;
    public final String deadLetters;
    public final TargetServer target = TargetServer.start();
    private final List<String> uris;
    private final TempDirectory folder = new TempDirectory("rabbit-nodes");
    private final List<RunningNode> nodes = new ArrayList<>();

    /** Creates a fixture on one broker. */
    public RabbitNodeFixture(RabbitBroker broker) {
        this(broker, List.of(broker.uri()));
    }

    /**
     * Creates a fixture on a cluster.
     *
     * @param broker the broker whose management API is used
     * @param uris the addresses of all brokers
     */
    public RabbitNodeFixture(RabbitBroker broker, List<String> uris) {
        int number = MADE.incrementAndGet();
        this.broker = broker;
        this.uris = uris;
        this.requests = "requests-" + number;
        this.answers = "answers-" + number;
        this.deadLetters = "dead-letters-" + number;
    }

    /**
     * Writes a node's configuration. The lines are appended: first those of the section {@code rabbit}, already
     * indented.
     */
    public Path configure(String id, String... lines) {
        String text = """
                node: {id: %s}
                transport: rabbit
                egress: {ports: [], allow-networks: [127.0.0.0/8]}
                admin: {port: 0}
                rabbit:
                  uris: ["%s"]
                  requests: {queue: %s, prefetch: %d}
                  answers: {routing-key: %s, reply-to: ["iocluster.replies.*"]}
                  dead-letters: {queue: %s}
                  declare: {enabled: true}
                %s
                """.formatted(
                id, String.join("\", \"", uris), requests, PREFETCH, answers, deadLetters, String.join("\n", lines));
        try {
            return Files.writeString(folder.resolve(id + ".yaml"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a node as a process with this {@linkplain #configure configuration}, and returns at once. */
    public NodeProcess start(String id, String... lines) {
        return start(List.of(), id, lines);
    }

    /** Starts a node with further JVM options, and returns at once. */
    public NodeProcess start(List<String> jvmOptions, String id, String... lines) {
        NodeProcess node = NodeProcess.start(jvmOptions, configure(id, lines), folder.resolve(id + ".log"));
        nodes.add(node);
        return node;
    }

    /** Starts a node in this process with this {@linkplain #configure configuration}. */
    public RunningNode startInProcess(String id, String... lines) {
        RunningNode node = InProcessNode.start(Map.of(), configure(id, lines));
        nodes.add(node);
        return node;
    }

    /** Returns the settings for clients of the queues, with time for a broker that has just started on a busy machine. */
    public RabbitSettings settings() {
        return new SettingsLoader<>(NodeSettings.class, Map.of())
                .load(configure("settings", "  connect-timeout: 1m"))
                .settings()
                .rabbit();
    }

    /**
     * Enqueues calls, each with its number as the correlation id and without another id, and waits for all confirms.
     * Resends messages that the broker rejects while it elects a queue's leader, as every producer must.
     *
     * @param path the path on the target, to which the number is appended
     * @return the number of rejected messages; such a message may be on the queue nevertheless
     */
    public int send(int from, int to, String path) {
        return send(from, to, path, "");
    }

    /** Does the same as {@link #send(int, int, String)}, with further fields of the envelope, each after a comma. */
    public int send(int from, int to, String path, String fields) {
        List<Integer> open = new ArrayList<>(IntStream.range(from, to).boxed().toList());
        AtomicInteger refused = new AtomicInteger();
        try (RabbitRequestPublisher sender = new RabbitRequestPublisher(settings(), "sender", Platform.system())) {
            await().atMost(LONG)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> {
                        open.retainAll(refused(sender, List.copyOf(open), path, fields));
                        refused.addAndGet(open.size());
                        return open.isEmpty();
                    });
        }
        return refused.get();
    }

    private Set<Integer> refused(RabbitRequestPublisher sender, List<Integer> numbers, String path, String fields) {
        Map<Integer, CompletionStage<PublishResult>> sent = new HashMap<>();
        for (int number : numbers) {
            byte[] envelope =
                    ("{\"url\":\"" + target.url(path + number) + "\"" + fields + "}").getBytes(StandardCharsets.UTF_8);
            sent.put(number, sender.send(envelope, Integer.toString(number), Map.of()));
        }
        sent.replaceAll((number, stage) -> stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS));
        sent.values().removeIf(stage -> stage.toCompletableFuture().join() == PublishResult.CONFIRMED);
        return sent.keySet();
    }

    /**
     * Returns the number of redelivered messages that a node read, each a possible duplicate call. A lost channel
     * causes at most {@link #PREFETCH} of them, and each {@linkplain #requeued requeued} message one more.
     */
    public static int redelivered(RunningNode node) throws IOException, InterruptedException {
        return json(node, "/api/status")
                .required("source")
                .required("redelivered")
                .intValue();
    }

    /** Returns the number of messages that a node requeued. */
    public static int requeued(RunningNode node) throws IOException, InterruptedException {
        return json(node, "/api/stats").required("released").intValue();
    }

    /** Returns the number of answers that wait in a node for a reply destination that rejects them. */
    public static int waitingAnswers(RunningNode node) throws IOException, InterruptedException {
        return json(node, "/api/status").required("waitingAnswers").intValue();
    }

    private static JsonNode json(RunningNode node, String path) throws IOException, InterruptedException {
        return JsonMapper.shared().readTree(node.get(path).body());
    }

    /** Waits until no message is on the queue of requests or unacknowledged. */
    public void awaitEmpty() {
        awaitRequests(0);
    }

    /** Waits until this number of messages is on the queue of requests or unacknowledged. */
    public void awaitRequests(int count) {
        awaitRequests("messages", count);
    }

    /** Waits until no message on the queue is ready, according to the broker. */
    public void awaitNoneReady() {
        awaitRequests("messages_ready", 0);
    }

    /** Waits until this number of messages is unacknowledged. */
    public void awaitUnacknowledged(int count) {
        awaitRequests("messages_unacknowledged", count);
    }

    private void awaitRequests(String which, int count) {
        try {
            await().atMost(LONG).until(() -> broker.queueNumber(requests, which) == count);
        } catch (ConditionTimeoutException late) {
            StringBuilder all = new StringBuilder(broker.rabbitmqctl(
                    "-q", "list_queues", "name", "messages_ready", "messages_unacknowledged", "consumers"));
            nodes.forEach(node -> all.append('\n').append(node.log()));
            throw new AssertionError(all.toString(), late);
        }
    }

    @Override
    public void close() {
        nodes.forEach(RunningNode::close);
        target.close();
        folder.close();
    }
}
