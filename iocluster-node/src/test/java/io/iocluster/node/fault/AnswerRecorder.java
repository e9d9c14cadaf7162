package io.iocluster.node.fault;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.kafka.client.KafkaAnswerConsumer;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.Outcome;
import io.iocluster.node.RunningNode;
import io.iocluster.rabbit.client.RabbitAnswerConsumer;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.awaitility.Awaitility;
import org.awaitility.core.TerminalFailureException;

/** Records all answers by id. Consumes them on its own thread until it is closed. Thread-safe. */
final class AnswerRecorder implements AutoCloseable {

    /** On an overloaded machine, a node may need this long from its start to its first answer. */
    private static final Duration STALLED = Duration.ofMinutes(3);

    private static final String CLIENT = "recorder";

    private final AnswerDecoder decoder = new AnswerDecoder();
    private final Map<String, Integer> byId = new ConcurrentHashMap<>();
    private final Set<String> nodeIds = ConcurrentHashMap.newKeySet();
    private final AtomicInteger total = new AtomicInteger();
    private final Map<String, Integer> notAnswered = new ConcurrentHashMap<>();
    private final AnswerConsumer consumer;
    private final Thread reader = DaemonThreadFactory.newThread("answer-recorder", this::read);
    private volatile boolean closed;

    private AnswerRecorder(AnswerConsumer consumer) {
        this.consumer = consumer;
        reader.start();
    }

    /** Records the answers of a topic from its beginning. */
    static AnswerRecorder of(KafkaSettings settings) {
        return new AnswerRecorder(new KafkaAnswerConsumer(KafkaConnections.ofSystem(settings, CLIENT), false));
    }

    /** Records and acknowledges the answers of a queue, which must exist. */
    static AnswerRecorder of(RabbitSettings settings) throws IOException {
        return new AnswerRecorder(new RabbitAnswerConsumer(settings, CLIENT, Platform.system()));
    }

    private void read() {
        try (consumer) {
            while (!closed) {
                consumer.poll(Duration.ofMillis(100), answer -> {
                    count(decoder.decode(answer));
                    return true;
                });
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private void count(Answer answer) {
        if (answer.outcome() != Outcome.ANSWERED) {
            notAnswered.merge(answer.error().code(), 1, Integer::sum);
        }
        nodeIds.add(answer.node());
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

    /** Waits until this number of ids has an answer. Fails if the node exits, or if no further id has one for minutes. */
    void awaitIds(int ids, RunningNode node) {
        await(byId::size, ids, node);
    }

    /** Waits like {@link #awaitIds} for this number of answers, including duplicates. */
    void awaitAnswers(int answers, RunningNode node) {
        await(total::get, answers, node);
    }

    private void await(IntSupplier count, int wanted, RunningNode node) {
        Progress progress = new Progress(count);
        try {
            Awaitility.await()
                    .forever()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(10))
                    .failFast(
                            "the node exited, or no answer arrived for " + STALLED,
                            () -> progress.isStalled() || !node.isAlive())
                    .until(() -> count.getAsInt() >= wanted);
        } catch (TerminalFailureException failed) {
            throw new AssertionError(
                    byId.size() + " ids had " + total + " answers of " + nodeIds + "\n" + status(node) + "\n"
                            + node.log(),
                    failed);
        }
    }

    /** Notices that a number does not grow. Confined to the thread that polls. */
    private static final class Progress {

        private final IntSupplier count;
        private int before;
        private long sinceNanos = System.nanoTime();

        Progress(IntSupplier count) {
            this.count = count;
            this.before = count.getAsInt();
        }

        boolean isStalled() {
            int now = count.getAsInt();
            if (now > before) {
                before = now;
                sinceNanos = System.nanoTime();
            }
            return System.nanoTime() - sinceNanos > STALLED.toNanos();
        }
    }

    private static String status(RunningNode node) {
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
    public void close() {
        closed = true;
        try {
            reader.join(10_000);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
