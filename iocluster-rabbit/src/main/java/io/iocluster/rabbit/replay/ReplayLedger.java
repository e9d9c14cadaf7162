package io.iocluster.rabbit.replay;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Connection;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The records of replayed dead letters whose removal from the dead-letter queue is not certain yet, in a separate queue. A
 * record is the point from which a batch counts as replayed. Confined to one thread; methods block.
 */
final class ReplayLedger implements AutoCloseable {

    private static final int MAX_RECORDS = Integer.MAX_VALUE;
    private static final int PERSISTENT = 2;

    private final String queue;
    private final QueueReader reader;
    private final ConfirmChannel publisher;
    private final List<Message> records = new ArrayList<>();
    private final Set<String> batches = new HashSet<>();
    /** How many dead letters with this id earlier replays recorded. */
    private final Map<String, Integer> earlier = new HashMap<>();
    /** Unique dead letters that this replay recorded. */
    private final Set<String> own = new HashSet<>();

    /** Reads the records of earlier replays that did not end. */
    ReplayLedger(Connection connection, ReplayQueues queues, Duration confirmTimeout, Platform platform)
            throws IOException, InterruptedException {
        this.queue = queues.ledger();
        this.reader = new QueueReader(connection, queue, platform);
        this.publisher = new ConfirmChannel(connection, confirmTimeout);
        List<Message> window = reader.next(MAX_RECORDS);
        while (!window.isEmpty()) {
            window.forEach(this::add);
            window = reader.next(MAX_RECORDS);
        }
    }

    private void add(Message record) {
        records.add(record.withoutBody());
        batches.add(record.properties().getMessageId());
        new String(record.body(), StandardCharsets.UTF_8).lines().forEach(id -> earlier.merge(id, 1, Integer::sum));
    }

    /** Returns whether an earlier replay recorded this batch. */
    boolean contains(String batch) {
        return batches.contains(batch);
    }

    /** Returns whether the dead letter was replayed. A record counts once for dead letters that are not unique. */
    boolean take(Letter letter) {
        if (letter.isUnique()) {
            return own.contains(letter.id()) || earlier.containsKey(letter.id());
        }
        Integer count = earlier.remove(letter.id());
        if (count != null && count > 1) {
            earlier.put(letter.id(), count - 1);
        }
        return count != null;
    }

    /** Records that these dead letters were replayed. Returns when the record is stored. */
    void record(String batch, List<Letter> letters) throws IOException, InterruptedException {
        StringBuilder ids = new StringBuilder();
        letters.forEach(letter -> ids.append(letter.id()).append('\n'));
        BasicProperties properties = new BasicProperties.Builder()
                .messageId(batch)
                .deliveryMode(PERSISTENT)
                .build();
        publisher.publish("", queue, properties, ids.toString().getBytes(StandardCharsets.UTF_8));
        publisher.awaitConfirms();
        letters.stream().filter(Letter::isUnique).map(Letter::id).forEach(own::add);
    }

    /** Deletes all records. Call it when none of their dead letters is on the dead-letter queue. */
    void clear() throws IOException {
        for (Message record : records) {
            reader.acknowledge(record);
        }
        records.clear();
        earlier.clear();
        own.clear();
        reader.purge();
    }

    @Override
    public void close() {
        publisher.close();
        reader.close();
    }
}
