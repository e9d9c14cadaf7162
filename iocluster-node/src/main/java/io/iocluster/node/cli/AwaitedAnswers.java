package io.iocluster.node.cli;

import io.iocluster.node.BrokerAccess.AnswerFeed;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Prints the answers to the requests that were put on the queue, as they come. Owns the thread that reads the feed; the
 * other methods may be called from any thread.
 */
final class AwaitedAnswers implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration POLL = Duration.ofMillis(200);

    private final AnswerFeed feed;
    private final PrintStream out;
    private final Map<String, Integer> awaited = new ConcurrentHashMap<>();
    private final AtomicReference<IOException> failure = new AtomicReference<>();
    private final Object arrival = new Object();
    private final Thread reader = new Thread(this::read, "iocluster-answers");
    private volatile boolean closed;

    AwaitedAnswers(AnswerFeed feed, PrintStream out) {
        this.feed = feed;
        this.out = out;
        reader.setDaemon(true);
        reader.start();
    }

    /** Says, before it is put on the queue, that a request's answer is awaited. */
    void expect(String id) {
        awaited.merge(id, 1, Integer::sum);
    }

    /** Takes {@link #expect} back. */
    void forget(String id) {
        take(id);
    }

    /**
     * Waits until everything awaited has come.
     *
     * @return how many answers are still missing when the time is over
     * @throws IOException if the feed broke
     */
    int await(Duration within) throws IOException, InterruptedException {
        long end = System.nanoTime() + within.toNanos();
        synchronized (arrival) {
            long left = within.toNanos();
            while (!awaited.isEmpty() && failure.get() == null && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(arrival, left);
                left = end - System.nanoTime();
            }
        }
        if (failure.get() != null) {
            throw failure.get();
        }
        return awaited.values().stream().mapToInt(Integer::intValue).sum();
    }

    private void read() {
        try (feed) {
            while (!closed) {
                feed.poll(POLL, answer -> take(id(answer))).forEach(this::print);
                synchronized (arrival) {
                    arrival.notifyAll();
                }
            }
        } catch (IOException broken) {
            failure.set(broken);
            synchronized (arrival) {
                arrival.notifyAll();
            }
        }
    }

    private boolean take(String id) {
        if (id == null || !awaited.containsKey(id)) {
            return false;
        }
        awaited.computeIfPresent(id, (key, count) -> count > 1 ? count - 1 : null);
        return true;
    }

    private void print(byte[] answer) {
        out.write(answer, 0, answer.length);
        out.write('\n');
        out.flush();
    }

    private static String id(byte[] answer) {
        try {
            JsonNode id = JSON.readTree(answer).get("id");
            return id == null || !id.isString() ? null : id.asString();
        } catch (JacksonException foreign) {
            return null;
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            reader.join(5_000);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
