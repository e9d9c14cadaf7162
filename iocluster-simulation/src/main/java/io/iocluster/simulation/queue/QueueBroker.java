package io.iocluster.simulation.queue;

import io.iocluster.simulation.engine.SimulatedProcess;
import io.iocluster.simulation.engine.Simulation;
import io.iocluster.transport.PublishResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A broker with one queue of requests. It redelivers the messages of a lost connection in their order, confirms what it has stored, and
 * fails as its faults say. Confined to the thread of the simulation.
 */
public final class QueueBroker {

    /** The queue of answers that have no reply-to. */
    public static final String ANSWERS = "answers";

    /** The queue of dead letters. */
    public static final String DEAD_LETTERS = "dead-letters";

    static final String DELAYED = "delayed";

    private static final long MAX_LATENCY_NANOS = 2_000_000;
    private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(5);

    private final Simulation simulation;
    private final Deque<QueueMessage> ready = new ArrayDeque<>();
    private final Map<QueueSource, Map<Long, QueueMessage>> unsettled = new LinkedHashMap<>();
    private final Map<Long, QueueMessage> delayed = new LinkedHashMap<>();
    private final Set<String> missing = new TreeSet<>();
    private final List<Consumer<Published>> listeners = new ArrayList<>();
    private final Map<String, Integer> deliveries = new HashMap<>();
    private final Map<String, Integer> messages = new HashMap<>();
    private final Map<String, Integer> unconfirmed = new HashMap<>();
    private final Set<Long> delivered = new HashSet<>();
    private long sent;
    private boolean down;
    private double lostConfirms;
    private double refusals;
    private long slowNanos;

    /**
     * A message that a node has published and the broker has stored.
     *
     * @param call the id of the call that it belongs to
     * @param node the process that published it
     */
    public record Published(
            String queue, String call, byte[] payload, Map<String, String> headers, String node, long millis) {}

    /** Creates a broker that runs. */
    public QueueBroker(Simulation simulation) {
        this.simulation = simulation;
    }

    /** Calls the listener for each message that is stored. */
    public void onPublished(Consumer<Published> listener) {
        listeners.add(listener);
    }

    /** Puts a request on the queue. Its header {@code call} is the id of its call. */
    public void send(byte[] payload, Map<String, String> headers) {
        QueueMessage message = new QueueMessage(sent++, payload, headers, wallMillis(), false);
        messages.merge(message.call(), 1, Integer::sum);
        ready.add(message);
        wake();
    }

    private long wallMillis() {
        return Simulation.START_MILLIS + simulation.millis();
    }

    /** Stops the broker: it delivers and confirms nothing, and each connection is lost. */
    public void stop() {
        down = true;
        simulation.trace().add("broker", () -> "stops");
        List.copyOf(unsettled.keySet()).forEach(this::connectionLost);
    }

    /** Starts the broker again with all messages that it had stored. */
    public void start() {
        down = false;
        simulation.trace().add("broker", () -> "starts");
        wake();
    }

    boolean isDown() {
        return down;
    }

    /** Loses this part of the confirms, although the messages are stored. */
    public void loseConfirms(double part) {
        lostConfirms = part;
    }

    /** Refuses this part of the messages, without storing them. */
    public void refuse(double part) {
        refusals = part;
    }

    /** Delays each confirm by this time. */
    public void slowDown(Duration by) {
        slowNanos = by.toNanos();
    }

    /** Deletes a reply queue. */
    public void delete(String queue) {
        missing.add(queue);
    }

    /** Creates a reply queue again. */
    public void create(String queue) {
        missing.remove(queue);
    }

    boolean isMissing(String queue) {
        return missing.contains(queue);
    }

    /** Returns the calls that are not settled: ready, delivered or delayed. */
    public Set<String> unsettledCalls() {
        Set<String> all = new TreeSet<>();
        delayed.values().forEach(message -> all.add(message.call()));
        ready.forEach(message -> all.add(message.call()));
        unsettled.values().forEach(held -> held.values().forEach(message -> all.add(message.call())));
        return all;
    }

    /** Returns how often the messages of a call were delivered. */
    public int deliveries(String call) {
        return deliveries.getOrDefault(call, 0);
    }

    /** Returns how many messages of a call a broker has: its request, and each delayed copy. */
    public int messages(String call) {
        return messages.getOrDefault(call, 0);
    }

    /** Returns how many messages of a call were stored although their publisher did not see the confirm. */
    public int unconfirmed(String call) {
        return unconfirmed.getOrDefault(call, 0);
    }

    void connect(QueueSource source) {
        unsettled.put(source, new LinkedHashMap<>());
    }

    /** Returns all messages of a connection to the queue, in their order, and closes the connection. */
    void connectionLost(QueueSource source) {
        Map<Long, QueueMessage> held = unsettled.remove(source);
        if (held != null) {
            List<QueueMessage> messages = new ArrayList<>(held.values());
            for (int i = messages.size() - 1; i >= 0; i--) {
                ready.addFirst(messages.get(i));
            }
            source.disconnected();
            wake();
        }
    }

    /** Delivers the next message on a connection; null if there is none. */
    QueueMessage poll(QueueSource source) {
        Map<Long, QueueMessage> held = unsettled.get(source);
        if (down || held == null || ready.isEmpty()) {
            return null;
        }
        QueueMessage message = ready.poll();
        held.put(message.number(), message);
        deliveries.merge(message.call(), 1, Integer::sum);
        return message;
    }

    /** Returns whether the message was delivered before, and notes that it was. */
    boolean noteDelivery(QueueMessage message) {
        return !delivered.add(message.number());
    }

    /** Settles a message. Does nothing if it was redelivered on another connection meanwhile. */
    void settle(QueueSource source, QueueMessage message, boolean acknowledged) {
        Map<Long, QueueMessage> held = unsettled.get(source);
        if (held == null || held.remove(message.number()) == null) {
            return;
        }
        if (!acknowledged) {
            ready.addFirst(message);
            wake();
        }
    }

    private void wake() {
        unsettled.keySet().forEach(QueueSource::wake);
    }

    /** Publishes a message of a node. The result arrives at the node if the node and the connection still exist. */
    void publish(
            SimulatedProcess node,
            String queue,
            QueueMessage request,
            byte[] payload,
            Map<String, String> headers,
            Duration delay,
            Consumer<PublishResult> result) {
        long sending = simulation.random().nextLong(MAX_LATENCY_NANOS);
        // The bytes leave the node even if it is killed before they arrive.
        simulation.after(Duration.ofNanos(sending), () -> {
            if (down) {
                answer(node, CONFIRM_TIMEOUT.toNanos(), new PublishResult.Failed("broker is down"), result);
                return;
            }
            if (missing.contains(queue)) {
                answer(node, 0, new PublishResult.UnknownTopicOrQueue("queue " + queue + " does not exist"), result);
                return;
            }
            if (simulation.random().nextDouble() < refusals) {
                answer(node, 0, new PublishResult.Failed("refused"), result);
                return;
            }
            store(node, queue, request, payload, headers, delay);
            if (simulation.random().nextDouble() < lostConfirms) {
                unconfirmed.merge(request.call(), 1, Integer::sum);
                answer(node, CONFIRM_TIMEOUT.toNanos(), new PublishResult.Failed("not confirmed"), result);
            } else {
                answer(node, slowNanos, PublishResult.CONFIRMED, result);
            }
        });
    }

    private void answer(SimulatedProcess node, long delayNanos, PublishResult how, Consumer<PublishResult> result) {
        long nanos = delayNanos + simulation.random().nextLong(MAX_LATENCY_NANOS);
        node.after(Duration.ofNanos(nanos), () -> result.accept(how));
    }

    private void store(
            SimulatedProcess node,
            String queue,
            QueueMessage request,
            byte[] payload,
            Map<String, String> headers,
            Duration delay) {
        simulation
                .trace()
                .add(
                        "broker",
                        () -> "stores " + queue + " of " + request.call() + ": "
                                + new String(payload, StandardCharsets.UTF_8));
        if (delay != null) {
            // A number of its own, because a lost confirm leaves both the request and its delayed copy.
            long number = sent++;
            QueueMessage copy = new QueueMessage(number, payload, headers, wallMillis(), true);
            messages.merge(copy.call(), 1, Integer::sum);
            delayed.put(number, copy);
            simulation.after(delay, () -> {
                delayed.remove(number);
                ready.add(copy);
                wake();
            });
        }
        Published published = new Published(queue, request.call(), payload, headers, node.name(), simulation.millis());
        listeners.forEach(listener -> listener.accept(published));
    }
}
