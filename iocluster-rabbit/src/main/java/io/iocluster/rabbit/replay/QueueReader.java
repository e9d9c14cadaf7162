package io.iocluster.rabbit.replay;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AMQP.Queue.DeclareOk;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.iocluster.rabbit.connection.BlockingMailbox;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Reads a queue from its head, in windows, and settles each message by itself. Messages that are not settled return to the queue in
 * their order when the reader is closed. Confined to one thread; methods block.
 */
final class QueueReader implements AutoCloseable {

    private static final int MAX_WINDOW = 500;
    /** Maximum bytes of a window, unless one message is larger. */
    private static final long MAX_WINDOW_BYTES = 64L << 20;

    private static final Duration QUIET = Duration.ofMillis(100);
    private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    /** The broker searches an acknowledged message among all unsettled ones of its channel. */
    private static final int MAX_DELIVERIES_PER_CHANNEL = 5_000;

    private final Connection connection;
    private final String queue;
    private final Platform platform;
    private final List<DeliveryChannel> channels = new ArrayList<>();
    /** The last of the channels, which reads. */
    private DeliveryChannel current;

    private int windowSize = MAX_WINDOW;
    private int consumers;

    QueueReader(Connection connection, String queue, Platform platform) throws IOException {
        this.connection = connection;
        this.queue = queue;
        this.platform = platform;
        openChannel();
    }

    private void openChannel() throws IOException {
        current = new DeliveryChannel(connection, queue, platform);
        channels.add(current);
    }

    /** Returns the number of messages that no consumer holds. */
    long countReady() throws IOException, InterruptedException {
        while (true) {
            DeclareOk state = state();
            if (isReliable(state)) {
                return state.getMessageCount();
            }
            List<Message> first = next(1);
            if (first.isEmpty()) {
                return 0;
            }
            current.reject(first.get(0).tag(), true);
        }
    }

    /** Returns the number of consumers, including those of other connections. */
    int countConsumers() throws IOException {
        return state().getConsumerCount();
    }

    private DeclareOk state() throws IOException {
        return current.channel().queueDeclarePassive(queue);
    }

    /** A quorum queue whose leader does not answer in time also reports no message and no consumer. */
    private static boolean isReliable(DeclareOk state) {
        return state.getMessageCount() > 0 || state.getConsumerCount() > 0;
    }

    /**
     * Reads the next messages.
     *
     * @param max maximum number of messages
     * @return the messages; empty if no message is left that this reader has not read
     */
    List<Message> next(int max) throws IOException, InterruptedException {
        if (current.delivered() >= MAX_DELIVERIES_PER_CHANNEL) {
            openChannel();
        }
        int size = Math.min(max, windowSize);
        Window window = consume(size);
        List<Message> read = receive(window, size);
        // The messages of a cancelled consumer stay unacknowledged. A second consumer beside a full one would wait
        // forever if
        // the queue has a single active consumer.
        current.channel().basicCancel(window.getConsumerTag());
        return withoutDiscarded(read);
    }

    private Window consume(int prefetch) throws IOException {
        Channel channel = current.channel();
        // Without global, the prefetch counts for each new consumer by itself.
        channel.basicQos(prefetch);
        Window window = new Window(current);
        // The broker returns messages in the order of the consumer tags.
        channel.basicConsume(queue, false, String.format(Locale.ROOT, "iocluster-%08d", consumers++), window);
        return window;
    }

    private List<Message> receive(Window window, int size) throws IOException, InterruptedException {
        List<Message> read = new ArrayList<>(size);
        boolean quiet = false;
        long progress = platform.nanos();
        while (read.size() < size) {
            Message next = window.poll();
            if (next != null) {
                read.add(next);
                current.add(next.tag());
                quiet = false;
                progress = platform.nanos();
                continue;
            }
            DeclareOk state = state();
            if (isReliable(state) && state.getMessageCount() == 0) {
                if (quiet) {
                    break;
                }
                quiet = true;
            } else if (platform.nanos() - progress > STALL_NANOS) {
                throw new IOException("queue " + queue + ": the broker delivers nothing");
            }
        }
        return read;
    }

    /** Requeues the messages whose body did not fit into the window. The next window starts with them. */
    private List<Message> withoutDiscarded(List<Message> read) throws IOException {
        List<Message> kept = new ArrayList<>(read.size());
        long bytes = 0;
        for (Message message : read) {
            if (message.body() == null) {
                current.reject(message.tag(), true);
            } else {
                kept.add(message);
                bytes += message.body().length;
            }
        }
        if (kept.size() < read.size()) {
            windowSize = kept.size();
        } else if (bytes < MAX_WINDOW_BYTES / 4) {
            windowSize = Math.min(MAX_WINDOW, windowSize * 2);
        }
        return kept;
    }

    /** Removes the message from the queue. */
    void acknowledge(Message message) throws IOException {
        message.channel().acknowledge(message.tag());
    }

    /** Makes the broker move the message to the dead-letter target of the queue, in one step. */
    void deadLetter(Message message) throws IOException {
        message.channel().reject(message.tag(), false);
    }

    /** Removes all ready messages. */
    void purge() throws IOException {
        current.channel().queuePurge(queue);
    }

    /**
     * Returns the unsettled messages to the queue, and waits until the broker has applied every settlement.
     *
     * @return false if that is not certain, for example because another consumer reads the queue
     */
    boolean settle() throws IOException, InterruptedException {
        for (DeliveryChannel each : channels) {
            each.requeueAll();
        }
        long end = platform.nanos() + SETTLE_NANOS;
        boolean probing = false;
        while (platform.nanos() < end) {
            DeclareOk state = state();
            // A quorum queue counts a cancelled consumer until the last of its messages is settled.
            if (isReliable(state) && state.getConsumerCount() == (probing ? 1 : 0)) {
                return true;
            }
            if (!isReliable(state) && !probing) {
                probing = true;
                consume(1);
            }
            platform.sleep(POLL_INTERVAL);
        }
        return false;
    }

    @Override
    public void close() {
        channels.forEach(DeliveryChannel::close);
    }

    /** Receives the messages of one consumer. Confined to the connection's loop, except for {@link #poll}. */
    private final class Window extends DefaultConsumer {

        private final DeliveryChannel source;
        private final BlockingMailbox<Message> received = new BlockingMailbox<>(platform);
        private volatile IOException end;
        private long bytes;

        Window(DeliveryChannel source) {
            super(source.channel());
            this.source = source;
        }

        /** Returns the next message, or null if there is none for a while. */
        Message poll() throws IOException, InterruptedException {
            Message next = received.poll(QUIET);
            if (next == null && end != null) {
                throw end;
            }
            return next;
        }

        @Override
        public void handleDelivery(String consumer, Envelope envelope, BasicProperties properties, byte[] body) {
            boolean fits = bytes == 0 || bytes + body.length <= MAX_WINDOW_BYTES;
            if (fits) {
                bytes += body.length;
            }
            received.add(new Message(source, envelope.getDeliveryTag(), properties, fits ? body : null));
        }

        @Override
        public void handleCancel(String consumer) {
            end = new IOException("queue " + queue + ": was deleted");
        }

        @Override
        public void handleShutdownSignal(String consumer, ShutdownSignalException cause) {
            end = new IOException(cause);
        }
    }
}
