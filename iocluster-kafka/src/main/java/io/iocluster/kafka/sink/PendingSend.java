package io.iocluster.kafka.sink;

import io.iocluster.transport.PublishResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
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
 * A message to publish, and the future of its result. Created by any thread, sent by one thread at a time, and
 * completed once, by that thread or by the producer's.
 */
public final class PendingSend extends CompletableFuture<PublishResult> implements Callback {

    /** Bytes of a batch and record header, rounded up. */
    private static final int OVERHEAD = 96;

    private final ProducerRecord<byte[], byte[]> message;
    private final KafkaPublisher publisher;
    /** Publishes a smaller version if this one is too large; null if there is none. */
    private final Supplier<CompletionStage<PublishResult>> smaller;

    /** The thread that currently calls the producer, or null. Written only by that thread. */
    private Thread sender;

    /** Whether the producer could not accept it. Confined to the sender. */
    private boolean refused;

    /** Whether the producer's buffer was full. Confined to the sender. */
    private boolean bufferFull;

    /** Monotonic nanoseconds when it was queued for the publisher's thread. */
    long postedNanos;

    /** Creates a send that is not posted to the publisher, of a message without a smaller version. */
    public PendingSend(ProducerRecord<byte[], byte[]> message, KafkaPublisher publisher) {
        this(message, publisher, null);
    }

    /**
     * Creates a send that is not posted to the publisher.
     *
     * @param smaller publishes a smaller version, whose result is then the result of this one; null for none
     */
    PendingSend(
            ProducerRecord<byte[], byte[]> message,
            KafkaPublisher publisher,
            Supplier<CompletionStage<PublishResult>> smaller) {
        this.message = message;
        this.publisher = publisher;
        this.smaller = smaller;
    }

    ProducerRecord<byte[], byte[]> message() {
        return message;
    }

    /** Returns an upper estimate of the bytes of a batch with this message only, uncompressed. */
    long estimatedBytes() {
        long size = (long) OVERHEAD + length(message.value()) + length(message.key());
        for (Header header : message.headers()) {
            size += header.key().length() * 3L + length(header.value()) + 4;
        }
        return size;
    }

    /** Returns the bytes of its value. */
    int valueBytes() {
        return length(message.value());
    }

    private static int length(byte[] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    /**
     * Passes the message to the producer.
     *
     * @return false if the producer cannot accept it now, so that the caller has to retry later
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
            publisher.onTooLarge(message.topic());
            tooLarge(new PublishResult.TooLarge(failure.getMessage()));
        } else {
            publisher.onSendFailure(message.topic(), failure);
            String problem = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
            complete(
                    failure instanceof UnknownTopicOrPartitionException
                            ? new PublishResult.UnknownTopicOrQueue(problem)
                            : new PublishResult.Failed(problem));
        }
    }

    /** Completes it as too large, or publishes the smaller version. */
    void tooLarge(PublishResult.TooLarge refusal) {
        if (smaller == null) {
            complete(refusal);
            return;
        }
        smaller.get().whenComplete((result, bug) -> {
            if (bug == null) {
                complete(result instanceof PublishResult.TooLarge ? refusal : result);
            } else {
                completeExceptionally(bug);
            }
        });
    }

    /** Completes it as failed. */
    void fail(String problem) {
        complete(new PublishResult.Failed(problem));
    }
}
