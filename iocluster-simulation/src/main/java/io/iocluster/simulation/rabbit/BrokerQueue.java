package io.iocluster.simulation.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;

/**
 * One queue of the broker. Confined to the thread of the simulation.
 *
 * <p>A classic queue puts a message that returns back at its position. A quorum queue delivers messages that have returned before all
 * others, counts the returns, and removes a message that exceeds the delivery limit. Messages expire only at the head of the queue.
 */
final class BrokerQueue {

    private static final Duration RETRY = Duration.ofSeconds(1);

    private final SimulatedRabbit broker;
    private final String name;
    private final QueueOptions options;
    private final TreeMap<Long, StoredMessage> ready = new TreeMap<>();
    /** Messages of a quorum queue that have returned, in the order of their return. */
    private final Deque<StoredMessage> returned = new ArrayDeque<>();

    private final List<ServerConsumer> consumers = new ArrayList<>();
    /** The commands of channels while the queue has no leader. */
    private final Deque<Command> pending = new ArrayDeque<>();

    private int unacknowledged;
    private int turn;
    private long positions;
    private long idleSince;
    private boolean hasLeader = true;
    private boolean deleted;

    /** @param undo runs instead of the task if the channel has closed before */
    private record Command(ServerChannel from, Runnable task, Runnable undo) {}

    BrokerQueue(SimulatedRabbit broker, String name, QueueOptions options) {
        this.broker = broker;
        this.name = name;
        this.options = options;
        touch();
    }

    String name() {
        return name;
    }

    QueueOptions options() {
        return options;
    }

    int ready() {
        return ready.size() + returned.size();
    }

    List<StoredMessage> messages() {
        List<StoredMessage> all = new ArrayList<>(returned);
        all.addAll(ready.values());
        return all;
    }

    int unacknowledged() {
        return unacknowledged;
    }

    int consumers() {
        return consumers.size();
    }

    boolean hasLeader() {
        return hasLeader;
    }

    /** Returns how many commands of the channel wait for a leader. */
    int pending(ServerChannel from) {
        return (int) pending.stream().filter(each -> each.from() == from).count();
    }

    /** Runs a command of a channel, now or when there is a leader. */
    void command(ServerChannel from, Runnable task) {
        command(from, task, () -> {});
    }

    /**
     * Runs a command of a channel, now or when there is a leader.
     *
     * @param undo runs instead if the channel closes before
     */
    void command(ServerChannel from, Runnable task, Runnable undo) {
        if (hasLeader) {
            task.run();
        } else {
            pending.add(new Command(from, task, undo));
        }
    }

    /** Forgets the commands of a channel that has closed: their effect is lost. */
    void channelClosed(ServerChannel from) {
        List<Command> lost =
                pending.stream().filter(each -> each.from() == from).toList();
        pending.removeAll(lost);
        lost.forEach(each -> each.undo().run());
    }

    void loseLeader() {
        hasLeader = false;
    }

    void electLeader() {
        hasLeader = true;
        for (Command next = pending.poll(); next != null; next = pending.poll()) {
            next.task().run();
        }
        deliver();
    }

    /**
     * Adds a published or dead-lettered message.
     *
     * @return null if the queue refuses it
     */
    StoredMessage add(String exchange, String routingKey, BasicProperties properties, byte[] body) {
        long max = options.number("x-max-length");
        if (max >= 0 && ready() >= max && options.rejectsPublishes()) {
            return null;
        }
        long position = positions++;
        StoredMessage message = new StoredMessage(exchange, routingKey, properties, body, position, expiry(properties));
        ready.put(position, message);
        if (message.expiresNanos != StoredMessage.NEVER) {
            broker.simulation()
                    .after(
                            Duration.ofNanos(message.expiresNanos
                                    + 1
                                    - broker.simulation().nanos()),
                            this::deliver);
        }
        deliver();
        while (max >= 0 && ready() > max) {
            broker.deadLetter(this, removeHead(), "maxlen");
        }
        return message;
    }

    /** Keeps a message from now on, also when the broker crashes. */
    void synced(StoredMessage message) {
        if (!message.synced) {
            message.synced = true;
            broker.observer().stored(name, message.publisher(), message.properties, message.body);
            if (message.outgoing != null) {
                message.outgoing.stored();
            }
        }
    }

    private long expiry(BasicProperties properties) {
        long ttl = options.number("x-message-ttl");
        String expiration = properties.getExpiration();
        if (expiration != null) {
            long own = Long.parseLong(expiration);
            ttl = ttl < 0 ? own : Math.min(ttl, own);
        }
        return ttl < 0
                ? StoredMessage.NEVER
                : broker.simulation().nanos() + Duration.ofMillis(ttl).toNanos();
    }

    private StoredMessage head() {
        return returned.isEmpty() ? ready.isEmpty() ? null : ready.firstEntry().getValue() : returned.peek();
    }

    private StoredMessage removeHead() {
        return returned.isEmpty() ? ready.pollFirstEntry().getValue() : returned.poll();
    }

    /** Removes what has expired at the head, and delivers to the consumers in turn while they have room. */
    void deliver() {
        while (hasLeader && !deleted && !broker.isDown()) {
            StoredMessage head = head();
            if (head == null) {
                return;
            }
            if (head.expiresNanos < broker.simulation().nanos()) {
                StoredMessage expired = removeHead();
                synced(expired);
                broker.deadLetter(this, expired, "expired");
                continue;
            }
            ServerConsumer next = nextConsumer();
            if (next == null) {
                return;
            }
            unacknowledged++;
            next.deliver(removeHead());
        }
    }

    private ServerConsumer nextConsumer() {
        boolean single = Boolean.TRUE.equals(options.arguments().get("x-single-active-consumer"));
        int eligible = single ? Math.min(1, consumers.size()) : consumers.size();
        for (int tried = 0; tried < eligible; tried++) {
            turn = (turn + 1) % eligible;
            if (consumers.get(turn).hasRoom()) {
                return consumers.get(turn);
            }
        }
        return null;
    }

    void addConsumer(ServerConsumer consumer) {
        consumers.add(consumer);
        deliver();
    }

    void removeConsumer(ServerConsumer consumer) {
        if (consumers.remove(consumer) && consumers.isEmpty()) {
            touch();
            if (options.autoDelete()) {
                broker.deleteQueue(name);
            }
        }
    }

    /** Starts the time of {@code x-expires} again. */
    void touch() {
        idleSince = broker.simulation().nanos();
        long expires = options.number("x-expires");
        if (expires >= 0) {
            long since = idleSince;
            broker.simulation().after(Duration.ofMillis(expires), () -> {
                if (!deleted && consumers.isEmpty() && idleSince == since) {
                    broker.deleteQueue(name);
                }
            });
        }
    }

    /** Removes an acknowledged message. */
    void acknowledged() {
        unacknowledged--;
    }

    /** Removes a message that was rejected without requeue. */
    void rejected(StoredMessage message) {
        unacknowledged--;
        broker.deadLetter(this, message, "rejected");
    }

    /** Takes messages back, in this order. {@link #deliver} delivers them again. */
    void takeBack(List<StoredMessage> messages) {
        unacknowledged -= messages.size();
        for (StoredMessage message : messages) {
            message.returns++;
            if (!options.isQuorum()) {
                ready.put(message.position, message);
            } else if (message.returns > deliveryLimit()) {
                broker.deadLetter(this, message, "delivery_limit");
            } else {
                returned.add(message);
            }
        }
    }

    private long deliveryLimit() {
        long own = options.number("x-delivery-limit");
        boolean unlimited = options.arguments().containsKey("x-delivery-limit") ? own < 0 : !broker.hasDefaultLimit();
        return unlimited ? Long.MAX_VALUE : own < 0 ? SimulatedRabbit.DEFAULT_DELIVERY_LIMIT : own;
    }

    /** Adds a message again that its dead-letter target has not taken. */
    void retryDeadLetter(StoredMessage message, String reason) {
        broker.simulation().after(RETRY, () -> {
            if (!deleted) {
                broker.deadLetter(this, message, reason);
            }
        });
    }

    /** Removes what a crash of the broker loses. All channels are closed. */
    void crash() {
        List<StoredMessage> lost = messages().stream().filter(this::isLost).toList();
        ready.values().removeAll(lost);
        returned.removeAll(lost);
        lost.stream()
                .filter(message -> message.synced)
                .forEach(message -> broker.observer().lost(message.properties, message.body));
        messages().forEach(this::synced);
        hasLeader = true;
        // Those of channels are lost. The others are repeated until the queue has the message.
        for (Command next = pending.poll(); next != null; next = pending.poll()) {
            next.task().run();
        }
    }

    private boolean isLost(StoredMessage message) {
        boolean stored = message.isPersistent() || options.isQuorum();
        return !stored || (!message.synced && broker.simulation().random().nextBoolean());
    }

    void purge() {
        ready.clear();
        returned.clear();
    }

    /** Cancels the consumers, and forgets the messages. */
    void delete() {
        deleted = true;
        purge();
        List.copyOf(consumers).forEach(ServerConsumer::cancel);
        consumers.clear();
    }

    /** Cancels the consumers and keeps the messages, as the loss of the queue's node does. */
    void cancelConsumers() {
        List<ServerConsumer> cancelled = List.copyOf(consumers);
        consumers.clear();
        cancelled.forEach(ServerConsumer::cancel);
    }
}
