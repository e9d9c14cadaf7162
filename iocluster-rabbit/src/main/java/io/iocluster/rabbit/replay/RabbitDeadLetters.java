package io.iocluster.rabbit.replay;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.ChannelProbe;
import io.iocluster.rabbit.connection.ChannelProbe.BrokerRefusal;
import io.iocluster.rabbit.connection.Connector;
import io.iocluster.rabbit.connection.EventLoopThread;
import io.iocluster.rabbit.connection.FailureText;
import io.iocluster.rabbit.connection.RabbitConnections;
import io.iocluster.settings.Rate;
import io.iocluster.thread.Platform;
import io.iocluster.transport.deadletter.DeadLetter;
import io.iocluster.transport.deadletter.DeadLetterQueue;
import io.iocluster.transport.deadletter.ReplayPacer;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dead-letter queue. RabbitMQ reads a queue only by consuming it: a scan holds the messages unacknowledged and returns them. See
 * {@link Replay} for how each request is published once. Confined to one thread.
 */
public final class RabbitDeadLetters implements DeadLetterQueue {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitDeadLetters.class);
    private static final int CLOSE_MILLIS = 2_000;

    private final RabbitSettings settings;
    private final Platform platform;
    private final EventLoopThread loop;
    private final Connection connection;

    /**
     * Connects.
     *
     * @param clientName part of the connection name
     * @throws IOException if no broker accepts the connection or a queue does not exist; the message is for the operator
     */
    public RabbitDeadLetters(RabbitSettings settings, String clientName, Platform platform) throws IOException {
        this.settings = settings;
        this.platform = platform;
        RabbitConnections connections = new Connector(settings, clientName, platform);
        this.loop = connections.newLoop("iocluster-rabbit-dead-letters");
        try {
            this.connection = connections.open("dead-letters", loop);
        } catch (IOException unreachable) {
            loop.close();
            throw unreachable;
        }
        try {
            requireQueue(settings.deadLetters().queue());
            requireQueue(settings.requests().queue());
        } catch (IOException missing) {
            close();
            throw missing;
        }
    }

    private void requireQueue(String queue) throws IOException {
        BrokerRefusal refusal = ChannelProbe.probe(connection, channel -> channel.queueDeclarePassive(queue));
        if (refusal != null) {
            throw new IOException("queue " + queue + ": "
                    + (refusal.code() == ChannelProbe.NOT_FOUND ? "does not exist" : refusal.text()));
        }
    }

    @Override
    public void scan(Predicate<DeadLetter> visitor) throws IOException, InterruptedException {
        run(() -> {
            try (LetterPass letters = new LetterPass(connection, settings, platform)) {
                int others = letters.countConsumers();
                if (others > 0) {
                    LOG.warn(
                            "Dead letters that other consumers hold are not read queue={} consumers={}",
                            settings.deadLetters().queue(),
                            others);
                }
                letters.limit(letters.countReady());
                scan(letters, visitor);
                return 0L;
            }
        });
    }

    private static void scan(LetterPass letters, Predicate<DeadLetter> visitor)
            throws IOException, InterruptedException {
        boolean stopped = false;
        List<Letter> window = letters.next();
        while (!window.isEmpty()) {
            for (Letter letter : window) {
                stopped = stopped || (letter.content() != null && !visitor.test(letter.content()));
                letters.keep(letter);
            }
            window = stopped ? List.of() : letters.next();
        }
        letters.settle();
    }

    @Override
    public long replay(Predicate<DeadLetter> selected, Rate rate) throws IOException, InterruptedException {
        return run(() -> {
            try (Replay replay =
                    new Replay(connection, settings, selected, new ReplayPacer(rate, platform), platform)) {
                return replay.run();
            }
        });
    }

    @FunctionalInterface
    private interface QueueOperation {
        long run() throws IOException, InterruptedException;
    }

    /** Runs the operation, and turns the exceptions of the client into messages for the operator. */
    private long run(QueueOperation operation) throws IOException, InterruptedException {
        try {
            return operation.run();
        } catch (ShutdownSignalException closed) {
            throw new IOException("rabbit: " + problem(closed), closed);
        } catch (IOException failed) {
            throw new IOException(
                    "rabbit: "
                            + (failed.getCause() instanceof ShutdownSignalException closed
                                    ? problem(closed)
                                    : failed.getMessage()),
                    failed);
        }
    }

    private static String problem(ShutdownSignalException closed) {
        String text = FailureText.of(closed);
        return closed.isHardError()
                ? "the connection to the broker was lost" + (text == null ? "" : ": " + text)
                        + "; run the command again"
                : text;
    }

    @Override
    public void close() {
        connection.abort(CLOSE_MILLIS);
        loop.close();
    }
}
