package io.iocluster.node.fault;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.Outcome;
import io.iocluster.node.NodeProcess;
import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.rabbit.client.RabbitAnswerConsumer;
import io.iocluster.rabbit.config.RabbitSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Records all answers by id. Consumes their queue on its own thread until it is closed. Thread-safe. */
final class RabbitAnswerRecorder implements AutoCloseable {

    private final AnswerDecoder decoder = new AnswerDecoder();
    private final Map<String, Integer> byId = new ConcurrentHashMap<>();
    private final AtomicInteger total = new AtomicInteger();
    private final Map<String, Integer> notAnswered = new ConcurrentHashMap<>();
    private final RabbitAnswerConsumer answers;
    private final Thread reader = new Thread(this::read, "answer-ledger");
    private volatile boolean closed;

    RabbitAnswerRecorder(RabbitSettings settings) throws IOException {
        answers = new RabbitAnswerConsumer(settings, "ledger");
        reader.start();
    }

    private void read() {
        try (answers) {
            while (!closed) {
                answers.poll(Duration.ofMillis(100), answer -> {
                    count(decoder.decode(answer));
                    return true;
                });
            }
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    private void count(Answer answer) {
        if (answer.outcome() != Outcome.ANSWERED) {
            notAnswered.merge(answer.error().code(), 1, Integer::sum);
        }
        byId.merge(answer.id(), 1, Integer::sum);
        total.incrementAndGet();
    }

    /** Returns the number of answers by id. */
    Map<String, Integer> countsById() {
        return Map.copyOf(byId);
    }

    /** Returns the number of duplicate answers. */
    int duplicates() {
        return total.get() - byId.size();
    }

    /** Returns the number of answers with an outcome other than {@code answered}, by error code. */
    Map<String, Integer> notAnswered() {
        return Map.copyOf(notAnswered);
    }

    /** Returns the number of distinct ids with an answer. */
    int answeredIds() {
        return byId.size();
    }

    /** Waits until this number of ids has an answer. */
    void awaitIds(int ids, NodeProcess node) {
        await(() -> byId.size() >= ids, node);
    }

    /** Waits for this number of answers, including duplicates. */
    void awaitAnswers(int answers, NodeProcess node) {
        await(() -> total.get() >= answers, node);
    }

    private void await(Callable<Boolean> condition, NodeProcess node) {
        try {
            Awaitility.await()
                    .atMost(RabbitNodeFixture.LONG)
                    .failFast("the node exited", () -> !node.isAlive())
                    .until(condition);
        } catch (ConditionTimeoutException late) {
            throw new AssertionError(
                    byId.size() + " ids had " + total + " answers\n" + status(node) + "\n" + node.log(), late);
        }
    }

    private static String status(NodeProcess node) {
        try {
            return node.get("/api/status").body();
        } catch (IOException gone) {
            return gone.toString();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        reader.join();
    }
}
