package io.iocluster.rabbit.client;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.source.Prefetch;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/** What answers are taken from, on each new channel. Immutable; blocks. */
interface AnswerQueue {

    /** How many answers may be held at once. */
    int MAX_UNACKNOWLEDGED = 20_000;

    /** Begins to consume, with as many new consumers as it takes. */
    void consume(Channel channel, Supplier<DefaultConsumer> consumers) throws IOException;

    /** Whether what is not wanted has to be held back for others, who read the same queue. */
    default boolean isShared() {
        return false;
    }

    /** Where nodes put answers that name no place: a queue, or copies of what goes to an exchange. */
    static AnswerQueue fromSettings(RabbitSettings.AnswerRoutingSettings answers) {
        return answers.exchange().isEmpty() ? new SharedQueue(answers.routingKey()) : new BoundQueue(answers);
    }

    /** A queue that others may read too. */
    record SharedQueue(String queue) implements AnswerQueue {

        @Override
        public void consume(Channel channel, Supplier<DefaultConsumer> consumers) throws IOException {
            for (int part : Prefetch.split(MAX_UNACKNOWLEDGED)) {
                channel.basicQos(part);
                channel.basicConsume(queue, false, consumers.get());
            }
        }

        @Override
        public boolean isShared() {
            return true;
        }
    }

    /** Copies, by a queue that ends with the connection. */
    record BoundQueue(RabbitSettings.AnswerRoutingSettings answers) implements AnswerQueue {

        @Override
        public void consume(Channel channel, Supplier<DefaultConsumer> consumers) throws IOException {
            String copies = channel.queueDeclare().getQueue();
            channel.queueBind(copies, answers.exchange(), answers.routingKey());
            channel.basicQos(Prefetch.MAX_PER_CONSUMER);
            channel.basicConsume(copies, false, consumers.get());
        }
    }

    /**
     * A queue for the answers to one client. It outlives the client's connection, so that what is answered while that is cut is
     * found when it is back, and goes when nobody has read it for so long. It is durable only because the broker is to leave off
     * having others; declared again it stays as it is.
     */
    record ReplyQueue(String queue, Duration expires) implements AnswerQueue {

        @Override
        public void consume(Channel channel, Supplier<DefaultConsumer> consumers) throws IOException {
            channel.queueDeclare(
                    queue, true, false, false, Map.of("x-queue-type", "classic", "x-expires", expires.toMillis()));
            channel.basicQos(Prefetch.MAX_PER_CONSUMER);
            channel.basicConsume(queue, false, consumers.get());
        }
    }
}
