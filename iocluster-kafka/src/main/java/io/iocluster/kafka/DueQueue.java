package io.iocluster.kafka;

import io.iocluster.kafka.ledger.KafkaDelivery;
import io.iocluster.transport.PublishResult;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The fetched messages of one partition of delayed requests, in the order of their offsets. Confined to the forwarder's thread. */
public final class DueQueue {

    private final long delayMillis;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private long bytes;
    /** Until when nothing is published: the messages of a refused publish wait. */
    private long notBefore;
    /** Until when nothing is fetched, although the queue is empty: its message takes more memory than it may have. */
    private long fetchAt;

    private long uncommitted = -1;

    /** One message; {@code result} is null if it is not published. */
    private static final class Entry {
        private final ConsumerRecord<byte[], byte[]> message;
        private final long bytes;
        private CompletableFuture<PublishResult> result;

        Entry(ConsumerRecord<byte[], byte[]> message) {
            this.message = message;
            this.bytes = KafkaDelivery.sizeOf(message);
        }

        boolean isConfirmed() {
            return result != null && result.isDone() && result.join() instanceof PublishResult.Confirmed;
        }
    }

    /** An empty queue of messages that are due so long after their timestamps. */
    public DueQueue(long delayMillis) {
        this.delayMillis = delayMillis;
    }

    public void add(ConsumerRecord<byte[], byte[]> message) {
        Entry entry = new Entry(message);
        entries.add(entry);
        bytes += entry.bytes;
    }

    public long bytes() {
        return bytes;
    }

    private long dueAt(Entry entry) {
        return entry.message.timestamp() + delayMillis;
    }

    /** Returns whether the partition has to be paused. */
    public boolean holdsBack(long now) {
        return !entries.isEmpty() || now < fetchAt;
    }

    /**
     * Drops the last messages that are not due, if the queue takes more memory than this.
     *
     * @return the offset of the first message that was dropped, which has to be fetched again; negative if none was
     */
    public long trim(long most, long now) {
        long first = -1;
        while (bytes > most && !entries.isEmpty() && dueAt(entries.peekLast()) > now) {
            Entry last = entries.pollLast();
            bytes -= last.bytes;
            first = last.message.offset();
            fetchAt = dueAt(last);
        }
        return first;
    }

    /** Publishes each message that is due and not published. */
    public void publishDue(
            long now, Function<ConsumerRecord<byte[], byte[]>, CompletableFuture<PublishResult>> publisher) {
        if (now < notBefore) {
            return;
        }
        for (Entry entry : entries) {
            if (dueAt(entry) > now) {
                return;
            }
            if (entry.result == null) {
                entry.result = publisher.apply(entry.message);
            }
        }
    }

    /** Returns the results that are not known yet. */
    public Stream<CompletableFuture<PublishResult>> inFlight() {
        return entries.stream().map(entry -> entry.result).filter(result -> result != null && !result.isDone());
    }

    /**
     * Removes the first messages if they are confirmed. Refused messages are published again after {@code retryAt}.
     *
     * @return a result that is not a confirmation, or null
     */
    public PublishResult settle(long retryAt) {
        PublishResult refused = null;
        for (Entry entry : entries) {
            if (entry.result != null && entry.result.isDone() && !entry.isConfirmed()) {
                refused = entry.result.join();
                entry.result = null;
                notBefore = retryAt;
            }
        }
        while (!entries.isEmpty() && entries.peek().isConfirmed()) {
            Entry first = entries.poll();
            bytes -= first.bytes;
            uncommitted = first.message.offset() + 1;
        }
        return refused;
    }

    /** Returns the position to commit, negative if it is committed. */
    public long uncommitted() {
        return uncommitted;
    }

    public void committed() {
        uncommitted = -1;
    }
}
