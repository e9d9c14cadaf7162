package io.iocluster.simulation.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.rabbit.connection.RabbitConnections;
import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.testkit.simulation.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A RabbitMQ broker on virtual time. Its delays and choices come from the simulation, so that a seed always gives the same run. Confined to
 * the thread of the simulation.
 *
 * <p>Models:
 *
 * <ul>
 *   <li>classic and quorum queues, exclusive, auto-delete and expiring queues, {@code x-single-active-consumer}
 *   <li>the default exchange, direct and fanout exchanges
 *   <li>prefetch per consumer, delivery tags per channel, the flag {@code redelivered}, {@code x-delivery-count}, delivery limits
 *   <li>ack, nack and reject, {@code multiple}, an unknown delivery tag (406), a missing queue or exchange (404), a locked queue (405),
 *       other arguments in a second declaration, {@code user_id} and message size (406)
 *   <li>publisher confirms: delayed, with {@code multiple}, refused, and lost with their connection; returns of mandatory messages before
 *       their confirm
 *   <li>the loss of a connection: each side notices it at another time, and unacknowledged messages return in their order
 *   <li>{@code connection.blocked} while an alarm is raised, from the next publish on; the broker then reads nothing from the connection
 *   <li>a queue without a leader: it confirms, delivers and settles nothing; from 32 commands on its channel waits, and with 400 waiting
 *       commands the connection
 *   <li>time to live of queues and messages, only at the head; maximum length with {@code drop-head} and {@code reject-publish};
 *       dead-letter exchanges with {@code x-death}
 *   <li>the deletion of a queue ({@code basic.cancel}) and a crash of the broker, which loses transient messages of classic queues and some
 *       of those that it has not confirmed
 * </ul>
 *
 * <p>Does not model: several broker nodes, permissions, transactions, {@code basic.get}, topic and headers exchanges, priorities, streams,
 * direct reply-to (the broker drops such a message and confirms it), policies, {@code consumer_timeout}, heartbeats (use {@link #disconnect}
 * for a process that is killed or paused for long), the detection of dead-letter cycles, the batches of 32 acknowledgements of a quorum
 * queue, and {@code reject-publish-dlx} (it refuses without a dead letter).
 */
public final class SimulatedRabbit {

    /** The limit of a quorum queue without an own limit, from RabbitMQ 4.0 on. */
    static final int DEFAULT_DELIVERY_LIMIT = 20;

    private static final int FIRST_VERSION_WITH_LIMIT = 4;
    private static final long MAX_SYNC_NANOS = 3_000_000;

    private final Simulation simulation;
    private final String version;
    private final Map<String, BrokerQueue> queues = new TreeMap<>();
    private final Map<String, Map<String, Set<String>>> bindings = new TreeMap<>();
    private final Map<String, String> exchanges = new TreeMap<>();
    private final List<ServerConnection> connections = new ArrayList<>();
    private final Map<String, Double> refusals = new HashMap<>();
    private RabbitObserver observer = RabbitObserver.NONE;
    private Duration confirmTimeout = Duration.ofDays(1);
    private double lostConfirms;
    private long names;
    private long slowNanos;
    private long maxMessageBytes = 128 << 20;
    private int withoutLeader;
    private boolean alarm;
    private boolean down;
    private long crashes;

    /**
     * Creates a broker that runs and has no queues.
     *
     * @param version such as {@code 4.1.0}
     */
    public SimulatedRabbit(Simulation simulation, String version) {
        this.simulation = simulation;
        this.version = version;
    }

    /** Returns the connections of one process. */
    public RabbitConnections connections(SimulatedProcess process, String user) {
        return new SimulatedConnections(this, process, user);
    }

    /**
     * Sets the observer.
     *
     * @param waits how long clients wait for a confirm before they publish the message again
     */
    void observe(RabbitObserver sees, Duration waits) {
        observer = sees;
        confirmTimeout = waits;
    }

    RabbitObserver observer() {
        return observer;
    }

    Duration confirmTimeout() {
        return confirmTimeout;
    }

    /** Declares a durable queue. */
    public void declareQueue(String name, Map<String, Object> arguments) {
        queues.computeIfAbsent(
                name, fresh -> new BrokerQueue(this, name, new QueueOptions(true, null, false, arguments)));
    }

    /** Deletes a queue with its messages. Its consumers are cancelled. */
    public void deleteQueue(String name) {
        BrokerQueue deleted = queues.remove(name);
        if (deleted != null) {
            bindings.values().forEach(keys -> keys.values().forEach(targets -> targets.remove(name)));
            if (!deleted.hasLeader()) {
                withoutLeader--;
            }
            deleted.delete();
        }
    }

    /** @param type {@code direct} or {@code fanout} */
    public void declareExchange(String name, String type) {
        if (!type.equals("direct") && !type.equals("fanout")) {
            throw new UnsupportedOperationException("not simulated: exchange type " + type);
        }
        exchanges.putIfAbsent(name, type);
    }

    /** Publishes a message without a connection. */
    public void publish(String exchange, String routingKey, BasicProperties properties, byte[] body) {
        for (BrokerQueue queue : route(exchange, routingKey)) {
            queue.command(null, () -> {
                StoredMessage stored = queue.add(exchange, routingKey, properties, body);
                if (stored != null) {
                    queue.synced(stored);
                }
            });
        }
    }

    /** Returns the bodies of the messages that wait on the queue, in the order of their delivery. */
    public List<byte[]> ready(String queue) {
        return queues.get(queue).messages().stream()
                .map(message -> message.body)
                .toList();
    }

    /** Returns the properties of the messages that wait on the queue. */
    public List<BasicProperties> readyProperties(String queue) {
        return queues.get(queue).messages().stream()
                .map(message -> message.properties)
                .toList();
    }

    public int unacknowledged(String queue) {
        return queues.get(queue).unacknowledged();
    }

    public int consumers(String queue) {
        return queues.get(queue).consumers();
    }

    public boolean exists(String queue) {
        return queues.containsKey(queue);
    }

    /** Returns how many connections the broker has. */
    public int connections() {
        return connections.size();
    }

    /** Loses all connections of a process. */
    public void disconnect(SimulatedProcess process) {
        connectionsOf(process).forEach(connection -> connection.lose("Connection reset by peer"));
    }

    /** Loses the connections of a process whose role begins with this. */
    void disconnect(SimulatedProcess process, String role) {
        connectionsOf(process).stream()
                .filter(each -> each.client().role().startsWith(role))
                .forEach(each -> each.lose("Connection reset by peer"));
    }

    /** Closes the channels of such connections with an error, as after an internal error of the broker or a timeout of a consumer. */
    void closeChannels(SimulatedProcess process, String role) {
        connectionsOf(process).stream()
                .filter(each -> each.client().role().startsWith(role))
                .forEach(each -> each.closeChannels(406, "PRECONDITION_FAILED - delivery acknowledgement timed out"));
    }

    /** Cancels the consumers of a queue. */
    void cancelConsumers(String queue) {
        queues.get(queue).cancelConsumers();
    }

    /** Delivers nothing on the connections of a process for this time, in both directions. */
    public void stall(SimulatedProcess process, Duration time) {
        stall(process, "", time);
    }

    /** Stalls the connections of a process whose role begins with this. */
    void stall(SimulatedProcess process, String role, Duration time) {
        connectionsOf(process).stream()
                .filter(each -> each.client().role().startsWith(role))
                .forEach(each -> each.stall(time));
    }

    private List<ServerConnection> connectionsOf(SimulatedProcess process) {
        return connections.stream().filter(each -> each.process() == process).toList();
    }

    /** Kills the broker. It keeps what a crash does not lose. */
    public void crash() {
        down = true;
        crashes++;
        for (ServerConnection connection : List.copyOf(connections)) {
            connection.close();
            connection.lose("Connection reset by peer");
        }
        queues.values().removeIf(queue -> !queue.options().durable());
        queues.values().forEach(BrokerQueue::crash);
        withoutLeader = 0;
    }

    /** Starts the broker after {@link #crash}. */
    public void start() {
        down = false;
        queues().forEach(BrokerQueue::deliver); // Removes what has expired.
    }

    /** Raises or clears the alarm of memory or disk. */
    public void setAlarm(boolean raise) {
        alarm = raise;
        if (!raise) {
            List.copyOf(connections).forEach(ServerConnection::unblock);
        }
    }

    /** @param cancels whether its consumers are cancelled */
    public void loseLeader(String queue, boolean cancels) {
        if (queues.get(queue).hasLeader()) {
            withoutLeader++;
        }
        queues.get(queue).loseLeader();
        if (cancels) {
            queues.get(queue).cancelConsumers();
        }
    }

    /** Gives the queue a leader again, which handles what has waited. */
    public void electLeader(String queue) {
        if (queues.get(queue).hasLeader()) {
            return;
        }
        withoutLeader--;
        queues.get(queue).electLeader();
        List.copyOf(connections).forEach(ServerConnection::leaderElected);
    }

    /** Refuses this part of the messages to the queue with a nack. */
    public void refuse(String queue, double part) {
        refusals.put(queue, part);
    }

    /** Never confirms this part of the stored messages. */
    void loseConfirms(double part) {
        lostConfirms = part;
    }

    boolean losesConfirm() {
        return lostConfirms > 0 && simulation.random().nextDouble() < lostConfirms;
    }

    /** Delays each confirm of a stored message by this time. */
    public void slowDown(Duration by) {
        slowNanos = by.toNanos();
    }

    /** Sets {@code max_message_size}. */
    public void setMaxMessageBytes(long bytes) {
        maxMessageBytes = bytes;
    }

    Simulation simulation() {
        return simulation;
    }

    String version() {
        return version;
    }

    boolean hasDefaultLimit() {
        return Integer.parseInt(version.replaceFirst("\\..*", "")) >= FIRST_VERSION_WITH_LIMIT;
    }

    boolean isDown() {
        return down;
    }

    long crashes() {
        return crashes;
    }

    boolean isAlarmRaised() {
        return alarm;
    }

    long maxMessageBytes() {
        return maxMessageBytes;
    }

    Duration syncTime() {
        return Duration.ofNanos(simulation.random().nextLong(MAX_SYNC_NANOS));
    }

    Duration confirmDelay() {
        return Duration.ofNanos(slowNanos);
    }

    boolean isRefusedBy(BrokerQueue queue) {
        double part = refusals.getOrDefault(queue.name(), 0.0);
        return part > 0 && simulation.random().nextDouble() < part;
    }

    void opened(ServerConnection connection) {
        connections.add(connection);
    }

    void closed(ServerConnection connection) {
        connections.remove(connection);
        List<String> exclusive = queues.values().stream()
                .filter(queue -> queue.options().owner() == connection)
                .map(BrokerQueue::name)
                .toList();
        exclusive.forEach(this::deleteQueue);
    }

    List<BrokerQueue> queues() {
        return List.copyOf(queues.values());
    }

    BrokerQueue queue(String name) {
        return queues.get(name);
    }

    String newQueueName() {
        return "amq.gen-" + names++;
    }

    void declare(String name, QueueOptions options) {
        queues.put(name, new BrokerQueue(this, name, options));
    }

    boolean hasQueueWithoutLeader() {
        return withoutLeader > 0;
    }

    boolean hasExchange(String name) {
        return name.isEmpty() || exchanges.containsKey(name);
    }

    void bind(String queue, String exchange, String routingKey) {
        bindings.computeIfAbsent(exchange, any -> new TreeMap<>())
                .computeIfAbsent(routingKey, any -> new HashSet<>())
                .add(queue);
    }

    /** Returns the queues that get a message; null if the exchange does not exist. */
    List<BrokerQueue> route(String exchange, String routingKey) {
        if (exchange.isEmpty()) {
            BrokerQueue target = queues.get(routingKey);
            return target == null ? List.of() : List.of(target);
        }
        if (!exchanges.containsKey(exchange)) {
            return null;
        }
        Set<String> names = new java.util.TreeSet<>();
        boolean fanout = exchanges.get(exchange).equals("fanout");
        bindings.getOrDefault(exchange, Map.of()).forEach((key, targets) -> {
            if (fanout || key.equals(routingKey)) {
                names.addAll(targets);
            }
        });
        return names.stream().map(queues::get).toList();
    }

    /** Returns the properties with which a queue delivers a message. */
    BasicProperties delivered(BrokerQueue queue, StoredMessage message) {
        if (!queue.options().isQuorum() || message.returns == 0) {
            return message.properties;
        }
        Map<String, Object> headers = headers(message.properties);
        headers.put("x-delivery-count", (long) message.returns);
        return message.properties.builder().headers(headers).build();
    }

    private static Map<String, Object> headers(BasicProperties properties) {
        return properties.getHeaders() == null ? new LinkedHashMap<>() : new LinkedHashMap<>(properties.getHeaders());
    }

    /** Publishes a message that has left its queue to the dead-letter exchange, or drops it if the queue has none. */
    void deadLetter(BrokerQueue from, StoredMessage message, String reason) {
        String exchange = from.options().text("x-dead-letter-exchange");
        if (exchange == null) {
            return;
        }
        String ownKey = from.options().text("x-dead-letter-routing-key");
        String key = ownKey == null ? message.routingKey : ownKey;
        List<BrokerQueue> targets = route(exchange, key);
        if (targets == null || targets.isEmpty()) {
            if (from.options().isAtLeastOnce()) {
                from.retryDeadLetter(message, reason);
            }
            return;
        }
        BasicProperties dead = deadLetterProperties(from, message, reason);
        for (BrokerQueue target : targets) {
            target.command(null, () -> {
                StoredMessage stored = target.add(exchange, key, dead, message.body);
                if (stored != null) {
                    target.synced(stored);
                } else if (from.options().isAtLeastOnce()) {
                    from.retryDeadLetter(message, reason);
                }
            });
        }
    }

    @SuppressWarnings("JavaUtilDate") // The client's API uses Date.
    private BasicProperties deadLetterProperties(BrokerQueue from, StoredMessage message, String reason) {
        Map<String, Object> headers = headers(message.properties);
        List<Object> deaths = new ArrayList<>();
        Map<String, Object> death = new LinkedHashMap<>();
        long count = 1;
        if (headers.get("x-death") instanceof List<?> earlier) {
            for (Object each : earlier) {
                Map<?, ?> table = (Map<?, ?>) each;
                if (from.name().equals(String.valueOf(table.get("queue")))
                        && reason.equals(String.valueOf(table.get("reason")))) {
                    count += ((Number) table.get("count")).longValue();
                } else {
                    deaths.add(each);
                }
            }
        }
        death.put("count", count);
        death.put("reason", reason);
        death.put("queue", from.name());
        death.put("time", new Date(Simulation.START_MILLIS + simulation.millis()));
        death.put("exchange", message.exchange);
        death.put("routing-keys", List.of(message.routingKey));
        if (message.properties.getExpiration() != null) {
            death.put("original-expiration", message.properties.getExpiration());
        }
        deaths.add(0, death);
        headers.put("x-death", deaths);
        headers.putIfAbsent("x-first-death-queue", from.name());
        headers.putIfAbsent("x-first-death-reason", reason);
        headers.putIfAbsent("x-first-death-exchange", message.exchange);
        return message.properties.builder().headers(headers).expiration(null).build();
    }
}
