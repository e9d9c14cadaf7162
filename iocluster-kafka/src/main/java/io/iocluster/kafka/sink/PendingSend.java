package io.iocluster.kafka.sink;

import io.iocluster.transport.PublishResult;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;

/**
 * One message on its way to the broker, and the stage that says how it ended. Made by any thread, given to the producer by
 * one thread at a time, completed once by either that or the producer's own.
 */
public final class PendingSend extends CompletableFuture<PublishResult> implements Callback {

    private static final int OVERHEAD = 96;

    private final ProducerRecord<byte[], byte[]> message;
    private final KafkaPublisher publisher;

    /** The thread that gives it to the producer now, or null. Written by that thread alone. */
    private Thread sender;

    /** Whether the producer could not take it now. Confined to the sender. */
    private boolean refused;

    /** Whether the buffer was full. Confined to the sender. */
    private boolean bufferFull;

    /** When it was posted to the publisher's thread. */
    long postedNanos;

    public PendingSend(ProducerRecord<byte[], byte[]> message, KafkaPublisher publisher) {
        this.message = message;
        this.publisher = publisher;
    }

    ProducerRecord<byte[], byte[]> message() {
        return message;
    }

    /** How many bytes it takes in a batch of its own, not compressed; a little more rather than less. */
    long estimatedBytes() {
        long size = (long) OVERHEAD + length(message.value()) + length(message.key());
        for (Header header : message.headers()) {
            size += header.key().length() * 3L + length(header.value()) + 4;
        }
        return size;
    }

    private static int length(byte[] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    /**
     * Gives it to the producer.
     *
     * @return false if the producer cannot take it now, and it has to be tried again later
     */
    boolean send(Producer<byte[], byte[]> producer) {
        sender = Thread.currentThread();
        refused = false;
        bufferFull = false;
        try {
            producer.send(message, this);
        } finally {
            sender = null;
        }
        return !refused;
    }

    /** Returns whether the producer's buffer was full at the last attempt to send this. */
    boolean wasBufferFull() {
        return bufferFull;
    }

    @Override
    public void onCompletion(RecordMetadata metadata, Exception failure) {
        if (failure == null) {
            complete(PublishResult.CONFIRMED);
        } else if (failure instanceof TimeoutException && sender == Thread.currentThread()) {
            refused = true;
            bufferFull = failure instanceof BufferExhaustedException;
        } else if (failure instanceof RecordTooLargeException) {
            complete(new PublishResult.TooLarge(failure.getMessage()));
        } else {
            publisher.onSendFailure(message.topic(), failure);
            String problem = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
            complete(
                    failure instanceof UnknownTopicOrPartitionException
                            ? new PublishResult.UnknownTopicOrQueue(problem)
                            : new PublishResult.Failed(problem));
        }
    }

    void fail(String problem) {
        complete(new PublishResult.Failed(problem));
    }
}
