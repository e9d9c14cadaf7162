package io.iocluster.node.fault;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.NodeProcess;
import io.iocluster.node.RunningNode;
import java.time.Duration;
import java.util.Map;

/** A Kafka node fixture with a request sender and an answer recorder. Owned by one test. */
final class FaultFixture implements AutoCloseable {

    static final Duration LONG = Duration.ofMinutes(2);

    /**
     * Maximum number of calls that a fault may duplicate: calls in flight (default of {@code workers.max-in-flight}),
     * unconfirmed calls (default of {@code workers.max-unconfirmed}), and completions after which the node commits at
     * the latest.
     */
    static final int MAX_DUPLICATES = 300 + 1_000 + 5_000;

    private static final int PARTITIONS = 12;

    final KafkaNodeFixture fixture;
    final RequestSender requests;
    final AnswerRecorder answers;

    FaultFixture() {
        this.fixture = new KafkaNodeFixture(PARTITIONS, Map.of());
        this.requests = new RequestSender(fixture.broker.bootstrapServers(), KafkaNodeFixture.REQUESTS);
        this.answers = AnswerRecorder.of(fixture.settings());
    }

    /** Sends calls that are answered at once, each with its number as the id, and waits for the broker's confirms. */
    void send(int from, int to) {
        requests.send(from, to, i -> null, this::ok);
    }

    /** Starts a node without ordering, and returns at once. */
    NodeProcess start(String id, String... lines) {
        return fixture.startNode(id, "none", lines);
    }

    /** Starts a node without ordering in this process. */
    RunningNode startInProcess(String id, String... lines) {
        return fixture.startInProcess(id, "none", lines);
    }

    /** Returns the URL of a call that is answered at once. */
    String ok(int id) {
        return fixture.target.url("/ok?id=" + id);
    }

    /** Prints the number of duplicate calls. */
    static void report(String fault, long duplicates) {
        System.out.println(fault + ": " + duplicates + " duplicates");
    }

    @Override
    public void close() {
        answers.close();
        requests.close();
        fixture.close();
    }
}
