package io.iocluster.kafka.delay;

import io.iocluster.kafka.config.RecordSize;
import io.iocluster.transport.PublishResult;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Fetched messages of one partition of a delay topic, in offset order. Confined to the forwarder's thread. */
final class DueQueue {

    private final long delayMillis;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private long bytes;
    /** Earliest time of the next publish, in epoch milliseconds. Set after a failed publish. */
    private long publishNotBefore;
    /**
     * Earliest time of the next fetch, in epoch milliseconds, if the queue is empty because its message exceeds the
     * limit.
     */
    private long fetchNotBefore;

    private long uncommitted = -1;

    /** One message; {@code result} is null until it is published. */
    private static final class Entry {
        private final ConsumerRecord<byte[], byte[]> message;
        private final long bytes;
        private CompletableFuture<PublishResult> result;

        Entry(ConsumerRecord<byte[], byte[]> message) {
            this.message = message;
            this.bytes = RecordSize.of(message);
        }

        boolean isConfirmed() {
            return result != null && result.isDone() && result.join() instanceof PublishResult.Confirmed;
        }
    }

    /** Creates an empty queue whose messages are due {@code delayMillis} after their timestamps. */
    DueQueue(long delayMillis) {
        this.delayMillis = delayMillis;
    }

    /** Appends a fetched message. */
    void add(ConsumerRecord<byte[], byte[]> message) {
        Entry entry = new Entry(message);
        entries.add(entry);
        bytes += entry.bytes;
    }

    /** Returns the heap bytes of all messages. */
    long bytes() {
        return bytes;
    }

    private long dueAt(Entry entry) {
        return entry.message.timestamp() + delayMillis;
    }

    /** Returns whether the partition has to be paused. {@code now} is in epoch milliseconds. */
    boolean shouldPause(long now) {
        return !entries.isEmpty() || now < fetchNotBefore;
    }

    /**
     * Drops messages that are not due from the end, until the queue takes at most {@code maxBytes}.
     *
     * @return the offset of the first dropped message, from which to fetch again; negative if none was dropped
     */
    long trim(long maxBytes, long now) {
        long first = -1;
        while (bytes > maxBytes && !entries.isEmpty() && dueAt(entries.peekLast()) > now) {
            Entry last = entries.pollLast();
            bytes -= last.bytes;
            first = last.message.offset();
            fetchNotBefore = dueAt(last);
        }
        return first;
    }

    /** Publishes each message that is due and not yet published. */
    void publishDue(long now, Function<ConsumerRecord<byte[], byte[]>, CompletableFuture<PublishResult>> publisher) {
        if (now < publishNotBefore) {
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

    /** Returns the results that are still pending. */
    Stream<CompletableFuture<PublishResult>> inFlight() {
        return entries.stream().map(entry -> entry.result).filter(result -> result != null && !result.isDone());
    }

    /**
     * Removes confirmed messages up to the first unconfirmed one. Failed messages are published again after
     * {@code retryAt}.
     *
     * @return the result of a failed publish, or null
     */
    PublishResult settle(long retryAt) {
        PublishResult failed = null;
        for (Entry entry : entries) {
            if (entry.result != null && entry.result.isDone() && !entry.isConfirmed()) {
                failed = entry.result.join();
                entry.result = null;
                publishNotBefore = retryAt;
            }
        }
        while (!entries.isEmpty() && entries.peek().isConfirmed()) {
            Entry first = entries.poll();
            bytes -= first.bytes;
            uncommitted = first.message.offset() + 1;
        }
        return failed;
    }

    /** Returns the position to commit; negative if there is none. */
    long uncommitted() {
        return uncommitted;
    }

    /** Records that {@link #uncommitted} has been committed. */
    void markCommitted() {
        uncommitted = -1;
    }
}
