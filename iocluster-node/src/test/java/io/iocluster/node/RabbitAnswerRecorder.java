package io.iocluster.node;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.Outcome;
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

/** Every answer that came, by id. Takes them off their queue on a thread of its own until it is closed. */
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

    /** How many answers each id has. */
    Map<String, Integer> countsById() {
        return Map.copyOf(byId);
    }

    /** Answers beyond the first of their id. */
    int duplicates() {
        return total.get() - byId.size();
    }

    /** How many answers have another outcome than {@code answered}, by their codes. */
    Map<String, Integer> notAnswered() {
        return Map.copyOf(notAnswered);
    }

    /** How many different ids have an answer. */
    int answeredIds() {
        return byId.size();
    }

    /** Waits until so many ids have an answer. */
    void awaitIds(int ids, NodeProcess node) {
        await(() -> byId.size() >= ids, node);
    }

    /** Waits for so many answers, repeats counted. */
    void awaitAnswers(int answers, NodeProcess node) {
        await(() -> total.get() >= answers, node);
    }

    private void await(Callable<Boolean> condition, NodeProcess node) {
        try {
            Awaitility.await()
                    .atMost(RabbitNodeFixture.LONG)
                    .failFast("the node ended", () -> !node.isAlive())
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
