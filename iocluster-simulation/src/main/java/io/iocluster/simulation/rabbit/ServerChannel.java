package io.iocluster.simulation.rabbit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The broker's side of a channel. An error closes the channel, and its unacknowledged messages return to their queues in their order.
 * Confined to the thread of the simulation.
 */
final class ServerChannel {

    /** {@code quorum_commands_soft_limit}: a channel with this number of commands for a queue without a leader waits. */
    private static final int SOFT_LIMIT = 32;

    private final ServerConnection connection;
    private final int number;
    private final Map<String, ServerConsumer> consumers = new LinkedHashMap<>();
    private final NavigableMap<Long, Unacknowledged> unacknowledged = new TreeMap<>();
    private final Deque<Consumer<ServerChannel>> waiting = new ArrayDeque<>();
    private ConfirmSender confirms;
    private long published;
    private long lastTag;
    private int prefetch;
    private boolean closed;

    private record Unacknowledged(ServerConsumer consumer, StoredMessage message) {}

    ServerChannel(ServerConnection connection, int number) {
        this.connection = connection;
        this.number = number;
    }

    ServerConnection connection() {
        return connection;
    }

    int number() {
        return number;
    }

    private SimulatedRabbit broker() {
        return connection.broker();
    }

    /** Runs a command of the client, or lets it wait behind those for a queue without a leader. */
    void run(Consumer<ServerChannel> task) {
        if (closed) {
            return;
        }
        if (waiting.isEmpty() && !waitsForLeader()) {
            task.accept(this);
        } else {
            waiting.add(task);
        }
    }

    private boolean waitsForLeader() {
        return broker().hasQueueWithoutLeader()
                && broker().queues().stream().anyMatch(queue -> queue.pending(this) >= SOFT_LIMIT);
    }

    int waitingCommands() {
        return waiting.size();
    }

    void runWaiting() {
        while (!closed && !waiting.isEmpty() && !waitsForLeader()) {
            waiting.poll().accept(this);
        }
    }

    /** Sends to the client's side of the channel. */
    void toClient(Consumer<ClientChannel> arrival) {
        connection.toClient(() -> connection.client().onChannel(number, arrival));
    }

    void selectConfirms() {
        confirms = new ConfirmSender(this);
    }

    void qos(int count) {
        prefetch = count;
    }

    void publish(
            String exchange,
            String routingKey,
            boolean mandatory,
            BasicProperties properties,
            byte[] body,
            OutgoingMessage outgoing) {
        connection.published();
        long sequence = confirms == null ? 0 : ++published;
        if (confirms != null) {
            confirms.published(sequence);
        }
        if (properties.getUserId() != null && !properties.getUserId().equals(connection.user())) {
            fail(
                    406,
                    "PRECONDITION_FAILED - user_id property set to '" + properties.getUserId()
                            + "' but authenticated user was '" + connection.user() + "'");
            return;
        }
        if (body.length > broker().maxMessageBytes()) {
            fail(
                    406,
                    "PRECONDITION_FAILED - message size " + body.length + " is larger than configured max size "
                            + broker().maxMessageBytes());
            return;
        }
        List<BrokerQueue> targets = broker().route(exchange, routingKey);
        if (targets == null) {
            fail(404, "NOT_FOUND - no exchange '" + exchange + "' in vhost '/'");
            return;
        }
        if (targets.isEmpty()) {
            if (mandatory) {
                toClient(client -> client.returned(AMQP.NO_ROUTE, "NO_ROUTE", exchange, routingKey, properties, body));
            }
            confirm(sequence);
            return;
        }
        Publication publication = new Publication(sequence, targets.size(), outgoing);
        for (BrokerQueue queue : targets) {
            if (broker().isRefusedBy(queue)) {
                publication.settled(false);
            } else {
                queue.command(this, () -> store(queue, exchange, routingKey, properties, body, publication));
            }
        }
    }

    private void store(
            BrokerQueue queue,
            String exchange,
            String routingKey,
            BasicProperties properties,
            byte[] body,
            Publication publication) {
        StoredMessage stored = queue.add(exchange, routingKey, properties, body);
        if (stored == null) {
            publication.settled(false);
            return;
        }
        stored.outgoing = publication.outgoing;
        long crashes = broker().crashes();
        boolean onDisk = stored.isPersistent() || queue.options().isQuorum();
        broker().simulation().after(onDisk ? broker().syncTime() : Duration.ZERO, () -> {
            if (crashes == broker().crashes()) {
                queue.synced(stored);
                broker().simulation().after(broker().confirmDelay(), () -> stored(publication));
            }
        });
    }

    private void stored(Publication publication) {
        if (broker().losesConfirm()) {
            publication.outgoing.abandon();
        } else {
            publication.settled(true);
        }
    }

    private void confirm(long sequence) {
        if (confirms != null && !closed) {
            confirms.confirm(sequence);
        }
    }

    /** A message on its way to its queues. It is confirmed when all have stored it, and refused if one has refused it. */
    private final class Publication {

        private final long sequence;
        private final OutgoingMessage outgoing;
        private int open;
        private boolean refused;

        Publication(long sequence, int queues, OutgoingMessage outgoing) {
            this.sequence = sequence;
            this.open = queues;
            this.outgoing = outgoing;
        }

        void settled(boolean stored) {
            refused |= !stored;
            open--;
            if (open == 0 && refused && confirms != null && !closed) {
                confirms.refuse(sequence);
            } else if (open == 0) {
                confirm(sequence);
            }
        }
    }

    void consume(String queueName, boolean autoAck, String tag) {
        BrokerQueue queue = requireQueue(queueName);
        if (queue == null) {
            return;
        }
        ServerConsumer consumer = new ServerConsumer(this, queue, tag, prefetch, autoAck);
        consumers.put(tag, consumer);
        toClient(client -> client.consuming(tag));
        queue.addConsumer(consumer);
    }

    void cancel(String tag) {
        ServerConsumer consumer = consumers.remove(tag);
        if (consumer != null) {
            consumer.queue().removeConsumer(consumer);
        }
    }

    /** The broker has cancelled a consumer. */
    void cancelled(ServerConsumer consumer) {
        consumers.remove(consumer.tag());
        toClient(client -> client.cancelled(consumer.tag()));
    }

    void deliver(ServerConsumer consumer, StoredMessage message, boolean autoAck) {
        long tag = ++lastTag;
        if (!autoAck) {
            unacknowledged.put(tag, new Unacknowledged(consumer, message));
        }
        boolean redelivered = message.returns > 0;
        BasicProperties properties = broker().delivered(consumer.queue(), message);
        toClient(client -> client.deliver(
                consumer.tag(), tag, redelivered, message.exchange, message.routingKey, properties, message.body));
    }

    /** Settles one delivery, or with {@code multiple} all up to it; tag 0 with {@code multiple} stands for all. */
    void settle(long tag, boolean multiple, boolean acknowledged, boolean requeue) {
        boolean all = tag == 0 && multiple;
        boolean known = multiple ? !unacknowledged.headMap(tag, true).isEmpty() : unacknowledged.containsKey(tag);
        if (!all && !known) {
            fail(406, "PRECONDITION_FAILED - unknown delivery tag " + tag);
            return;
        }
        NavigableMap<Long, Unacknowledged> settled = all
                ? unacknowledged
                : multiple ? unacknowledged.headMap(tag, true) : unacknowledged.subMap(tag, true, tag, true);
        List<Unacknowledged> taken = new ArrayList<>(settled.values());
        settled.clear();
        byQueue(taken)
                .forEach((queue, messages) -> queue.command(
                        this,
                        () -> {
                            if (acknowledged) {
                                messages.forEach(message -> acknowledged(queue, message));
                            } else if (requeue) {
                                queue.takeBack(messages);
                            } else {
                                messages.forEach(queue::rejected);
                            }
                        },
                        () -> queue.takeBack(messages)));
        taken.forEach(each -> each.consumer().settled());
        taken.stream().map(each -> each.consumer().queue()).distinct().forEach(BrokerQueue::deliver);
    }

    private void acknowledged(BrokerQueue queue, StoredMessage message) {
        queue.acknowledged();
        broker().observer().acknowledged(queue.name(), connection.process(), message.properties);
    }

    private static Map<BrokerQueue, List<StoredMessage>> byQueue(List<Unacknowledged> taken) {
        Map<BrokerQueue, List<StoredMessage>> messages = new LinkedHashMap<>();
        taken.forEach(each -> messages.computeIfAbsent(each.consumer().queue(), any -> new ArrayList<>())
                .add(each.message()));
        return messages;
    }

    /** Returns the queue, or closes the channel if the connection may not use it. */
    BrokerQueue requireQueue(String name) {
        BrokerQueue queue = broker().queue(name);
        if (queue == null) {
            fail(404, "NOT_FOUND - no queue '" + name + "' in vhost '/'");
            return null;
        }
        if (queue.options().owner() != null && queue.options().owner() != connection) {
            fail(405, "RESOURCE_LOCKED - cannot obtain exclusive access to locked queue '" + name + "' in vhost '/'");
            return null;
        }
        return queue;
    }

    /** Closes the channel because of an error of the client. */
    void fail(int code, String text) {
        toClient(client -> client.closedByBroker(code, text));
        close();
    }

    boolean isClosed() {
        return closed;
    }

    /** Returns the unacknowledged messages to their queues. */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        waiting.clear();
        connection.remove(this);
        broker().queues().forEach(queue -> queue.channelClosed(this));
        List<ServerConsumer> ended = List.copyOf(consumers.values());
        consumers.clear();
        List<Unacknowledged> left = new ArrayList<>(unacknowledged.values());
        unacknowledged.clear();
        Map<BrokerQueue, List<StoredMessage>> messages = byQueue(left);
        // First all queues, because the consumers of this channel must get nothing.
        ended.forEach(consumer -> consumer.queue().removeConsumer(consumer));
        messages.forEach((queue, returned) -> {
            queue.takeBack(returned);
            queue.deliver();
        });
    }
}
