package io.iocluster.rabbit.replay;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.sink.OutgoingProperties;
import io.iocluster.thread.Platform;
import io.iocluster.transport.deadletter.DeadLetter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The requests that wait until their replay is recorded. The queue's dead-letter target is the request queue, so rejecting a request
 * moves it there in one step of the broker. Confined to one thread; methods block.
 */
final class StagingQueue implements AutoCloseable {

    private static final String BATCH_HEADER = "iocluster-replay-batch";

    private final ReplayQueues queues;
    private final Platform platform;
    private final String requestQueue;
    private final QueueReader reader;
    private final ConfirmChannel publisher;
    /** Requests of a replay that was killed before it recorded them, by the id of their dead letter. */
    private final Map<String, Deque<Message>> unrecorded = new HashMap<>();

    StagingQueue(
            Connection connection, ReplayQueues queues, String requestQueue, Duration confirmTimeout, Platform platform)
            throws IOException {
        this.queues = queues;
        this.platform = platform;
        this.requestQueue = requestQueue;
        this.reader = new QueueReader(connection, queues.staging(), platform);
        this.publisher = new ConfirmChannel(connection, confirmTimeout);
    }

    /**
     * Reads what a killed replay left. Releases the requests that it recorded, and keeps the others.
     *
     * @return the number of released requests
     */
    long recover(ReplayLedger ledger) throws IOException, InterruptedException {
        long released = 0;
        List<Message> window = reader.next(Integer.MAX_VALUE);
        while (!window.isEmpty()) {
            for (Message request : window) {
                if (ledger.contains(request.header(BATCH_HEADER))) {
                    reader.deadLetter(request);
                    released++;
                } else {
                    keep(request);
                }
            }
            window = reader.next(Integer.MAX_VALUE);
        }
        return released;
    }

    /** Keeps the request without its body. */
    private void keep(Message request) {
        String position = String.valueOf(request.header(DeadLetter.REPLAYED_HEADER));
        unrecorded
                .computeIfAbsent(position.substring(position.lastIndexOf('/') + 1), any -> new ArrayDeque<>())
                .add(request.withoutBody());
    }

    /** Returns the request of this dead letter that a killed replay left, or null. */
    Message takeUnrecorded(Letter letter) {
        Deque<Message> left = unrecorded.get(letter.id());
        return left == null ? null : left.poll();
    }

    /** Puts the requests of dead letters on the queue. Returns when all are stored. */
    void stage(String batch, List<Letter> letters) throws IOException, InterruptedException {
        for (Letter letter : letters) {
            BasicProperties properties = OutgoingProperties.replayed(
                    letter.message().properties(),
                    Map.of(DeadLetter.REPLAYED_HEADER, utf8(letter.content().position()), BATCH_HEADER, utf8(batch)),
                    platform.wallMillis());
            publisher.publish(
                    queues.staging(), requestQueue, properties, letter.message().body());
        }
        publisher.awaitConfirms();
    }

    /** Moves the staged requests of a recorded batch to the request queue. */
    void release(String batch, int count) throws IOException, InterruptedException {
        int missing = count;
        while (missing > 0) {
            List<Message> window = reader.next(missing);
            if (window.isEmpty()) {
                throw new IOException("queue " + queues.staging() + ": another consumer reads it");
            }
            for (Message request : window) {
                if (batch.equals(request.header(BATCH_HEADER))) {
                    reader.deadLetter(request);
                    missing--;
                } else {
                    keep(request);
                }
            }
        }
    }

    /** Moves one request to the request queue, after it was recorded. */
    void release(Message request) throws IOException {
        reader.deadLetter(request);
    }

    /** Deletes the unrecorded requests whose dead letters are gone. */
    void dropUnrecorded() throws IOException {
        for (Deque<Message> left : new ArrayList<>(unrecorded.values())) {
            for (Message request : left) {
                reader.acknowledge(request);
            }
        }
        unrecorded.clear();
    }

    /** Waits until the broker has applied every release. */
    void settle() throws IOException, InterruptedException {
        if (!reader.settle()) {
            throw new IOException(
                    "queue " + queues.staging() + ": the broker has not released all requests; run the command again");
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        publisher.close();
        reader.close();
    }
}
