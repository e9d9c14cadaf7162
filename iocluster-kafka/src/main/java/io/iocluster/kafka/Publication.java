package io.iocluster.kafka;

import io.iocluster.transport.PublishResult;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;

/**
 * One message on its way to the broker, and the stage that says how it ended. Made by any thread, sent by the publisher
 * thread, completed once by either that or the producer's own.
 */
final class Publication extends CompletableFuture<PublishResult> implements Callback {

    private static final int OVERHEAD = 96;

    private final ProducerRecord<byte[], byte[]> message;
    private final Publisher publisher;

    /** Whether the producer is taking it now. Confined to the publisher thread. */
    private boolean sending;

    /** Whether the producer could not take it now. Confined to the publisher thread. */
    private boolean refused;

    Publication(ProducerRecord<byte[], byte[]> message, Publisher publisher) {
        this.message = message;
        this.publisher = publisher;
    }

    ProducerRecord<byte[], byte[]> message() {
        return message;
    }

    /** How many bytes it takes in a batch of its own, not compressed; a little more rather than less. */
    long size() {
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
     * The publisher thread gives it to the producer.
     *
     * @return false if it has to be tried again later
     */
    boolean send(org.apache.kafka.clients.producer.Producer<byte[], byte[]> producer) {
        sending = true;
        refused = false;
        try {
            producer.send(message, this);
        } finally {
            sending = false;
        }
        return !refused;
    }

    @Override
    public void onCompletion(RecordMetadata metadata, Exception failure) {
        if (failure == null) {
            complete(PublishResult.CONFIRMED);
        } else if (failure instanceof TimeoutException && publisher.isOwnThread() && sending) {
            refused = true;
        } else if (failure instanceof RecordTooLargeException) {
            complete(new PublishResult.TooLarge(failure.getMessage()));
        } else {
            publisher.failed(failure);
            fail(failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage());
        }
    }

    void fail(String problem) {
        complete(new PublishResult.Failed(problem));
    }
}
