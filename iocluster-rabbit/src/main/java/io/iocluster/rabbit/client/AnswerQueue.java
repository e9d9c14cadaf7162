package io.iocluster.rabbit.client;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.source.Prefetch;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/** The queue that a client reads answers from. Immutable; blocks. */
interface AnswerQueue {

    /** Maximum number of unacknowledged answers. */
    int MAX_UNACKNOWLEDGED = 20_000;

    /**
     * Starts to consume on a new channel.
     *
     * @param consumers supplies each consumer
     */
    void consume(Channel channel, Supplier<DefaultConsumer> consumers) throws IOException;

    /** Returns whether other clients read the queue too, so that unwanted answers must stay unacknowledged. */
    default boolean isShared() {
        return false;
    }

    /** Returns the queue of answers without a reply-to: the configured queue, or a new one bound to the exchange. */
    static AnswerQueue fromSettings(RabbitSettings.AnswerRoutingSettings answers) {
        return answers.exchange().isEmpty() ? new SharedQueue(answers.routingKey()) : new BoundQueue(answers);
    }

    /** A queue that other clients may read too. */
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

    /** A queue bound to the exchange of answers. It gets copies and is deleted with the connection. */
    record BoundQueue(RabbitSettings.AnswerRoutingSettings answers) implements AnswerQueue {

        @Override
        public void consume(Channel channel, Supplier<DefaultConsumer> consumers) throws IOException {
            String queue = channel.queueDeclare().getQueue();
            channel.queueBind(queue, answers.exchange(), answers.routingKey());
            channel.basicQos(Prefetch.MAX_PER_CONSUMER);
            channel.basicConsume(queue, false, consumers.get());
        }
    }

    /**
     * A queue for the answers to one client. It outlives the client's connection, so that the client receives answers published
     * during an interruption. It is durable because RabbitMQ deprecates transient non-exclusive queues. A second declaration has no
     * effect.
     *
     * @param expires the broker deletes the queue after this time without a consumer
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
