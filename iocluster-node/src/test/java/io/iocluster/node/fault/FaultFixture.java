package io.iocluster.node.fault;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.NodeProcess;
import java.time.Duration;
import java.util.Map;

/** A stage with a sender and a ledger on both ends. Owned by one test. */
final class FaultFixture implements AutoCloseable {

    static final Duration LONG = Duration.ofMinutes(2);

    /**
     * The most that a fault may repeat: what is in flight, by the default of {@code workers.max-in-flight}, what is not
     * confirmed, by that of {@code workers.max-unconfirmed}, and the completions after which the node commits, or sooner.
     */
    static final int REPEATED = 300 + 1_000 + 5_000;

    final KafkaNodeFixture stage = new KafkaNodeFixture(12, Map.of());
    final RequestSender requests = new RequestSender(stage.broker.bootstrapServers(), KafkaNodeFixture.REQUESTS);
    final AnswerRecorder answers = new AnswerRecorder(stage.broker.bootstrapServers(), KafkaNodeFixture.ANSWERS);

    /** Sends calls that are answered at once, each with its number as the id, and returns when the broker has them. */
    void send(int from, int to) {
        requests.send(from, to, i -> null, this::ok);
    }

    /** Starts a node that keeps no order, and returns at once. */
    NodeProcess start(String id, String... lines) {
        return stage.startNode(id, "none", lines);
    }

    /** The URL of a call that is answered at once. */
    String ok(int id) {
        return stage.target.url("/ok?id=" + id);
    }

    /** Prints how many calls were made again. */
    static void report(String fault, long repeated) {
        System.out.println(fault + ": " + repeated + " repeated");
    }

    @Override
    public void close() {
        answers.close();
        requests.close();
        stage.close();
    }
}
