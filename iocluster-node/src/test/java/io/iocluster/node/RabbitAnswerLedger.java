package io.iocluster.node;

import static org.awaitility.Awaitility.await;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.Outcome;
import io.iocluster.rabbit.RabbitAnswers;
import io.iocluster.rabbit.RabbitSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Every answer that came, by id. Takes them off their queue on a thread of its own until it is closed. */
final class RabbitAnswerLedger implements AutoCloseable {

    private final AnswerDecoder decoder = new AnswerDecoder();
    private final Map<String, Integer> byId = new ConcurrentHashMap<>();
    private final AtomicInteger total = new AtomicInteger();
    private final AtomicInteger notAnswered = new AtomicInteger();
    private final RabbitAnswers answers;
    private final Thread reader = new Thread(this::read, "answer-ledger");
    private volatile boolean closed;

    RabbitAnswerLedger(RabbitSettings settings) throws IOException {
        answers = new RabbitAnswers(settings, "ledger");
        reader.start();
    }

    private void read() {
        try (answers) {
            while (!closed) {
                answers.poll(Duration.ofMillis(100), any -> true).forEach(answer -> count(decoder.decode(answer)));
            }
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    private void count(Answer answer) {
        if (answer.outcome() != Outcome.ANSWERED) {
            notAnswered.incrementAndGet();
        }
        byId.merge(answer.id(), 1, Integer::sum);
        total.incrementAndGet();
    }

    /** Answers beyond the first of their id. */
    int duplicates() {
        return total.get() - byId.size();
    }

    /** Answers with another outcome than {@code answered}. */
    int notAnswered() {
        return notAnswered.get();
    }

    /** How many different ids have an answer. */
    int ids() {
        return byId.size();
    }

    /** Waits until so many ids have an answer. */
    void awaitIds(int ids, NodeProcess node) {
        await().atMost(Duration.ofMinutes(2))
                .failFast("the node ended", () -> !node.isAlive())
                .until(() -> byId.size() >= ids);
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        reader.join();
    }
}
