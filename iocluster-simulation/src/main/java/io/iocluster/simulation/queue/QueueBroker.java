package io.iocluster.simulation.queue;

import io.iocluster.simulation.broker.BrokerListener;
import io.iocluster.simulation.broker.Published;
import io.iocluster.simulation.broker.SimulatedBroker;
import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.testkit.simulation.Simulation;
import io.iocluster.testkit.simulation.Trace;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.Transport;
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
public final class QueueBroker implements SimulatedBroker {

    private static final long MAX_LATENCY_NANOS = 2_000_000;
    private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(5);

    private final Simulation simulation;
    private final Deque<QueueMessage> ready = new ArrayDeque<>();
    private final Map<QueueSource, Map<Long, QueueMessage>> unsettled = new LinkedHashMap<>();
    private final Map<SimulatedProcess, QueueSource> sources = new HashMap<>();
    private final Map<Long, QueueMessage> delayed = new LinkedHashMap<>();
    private final Set<String> missing = new TreeSet<>();
    private final Set<Long> delivered = new HashSet<>();
    private BrokerListener listener;
    private long sent;
    private int starts;
    private boolean down;
    private double lostConfirms;
    private double refusals;
    private long slowNanos;

    /** Creates a broker that runs. */
    public QueueBroker(Simulation simulation) {
        this.simulation = simulation;
    }

    @Override
    public void observe(BrokerListener observer) {
        listener = observer;
    }

    @Override
    public Transport connect(SimulatedProcess process) {
        QueueSource source = new QueueSource(this, process);
        sources.put(process, source);
        return Transport.of("memory", source, new QueueSink(this, process));
    }

    @Override
    public void disconnect(SimulatedProcess process) {
        connectionLost(sources.get(process));
    }

    @Override
    public void send(byte[] payload, Map<String, String> headers) {
        ready.add(new QueueMessage(sent++, payload, headers, wallMillis(), false));
        wake();
    }

    private long wallMillis() {
        return Simulation.START_MILLIS + simulation.millis();
    }

    @Override
    public void stop() {
        down = true;
        simulation.trace().add("broker", () -> "stops");
        List.copyOf(unsettled.keySet()).forEach(this::connectionLost);
    }

    @Override
    public void start() {
        if (down) {
            down = false;
            starts++;
            simulation.trace().add("broker", () -> "starts");
            wake();
        }
    }

    boolean isDown() {
        return down;
    }

    @Override
    public void loseConfirms(double part) {
        lostConfirms = part;
    }

    @Override
    public void refuse(double part) {
        refusals = part;
    }

    @Override
    public void slowDown(Duration by) {
        slowNanos = by.toNanos();
    }

    @Override
    public void delete(String queue) {
        missing.add(queue);
    }

    @Override
    public void create(String queue) {
        missing.remove(queue);
    }

    boolean isMissing(String queue) {
        return missing.contains(queue);
    }

    @Override
    public int readyFor(SimulatedProcess process) {
        return down ? 0 : ready.size();
    }

    @Override
    public int heldBy(SimulatedProcess process) {
        return unsettled.getOrDefault(sources.get(process), Map.of()).size();
    }

    @Override
    public Set<String> unsettledCalls() {
        Set<String> all = new TreeSet<>();
        delayed.values().forEach(message -> all.add(message.call()));
        ready.forEach(message -> all.add(message.call()));
        unsettled.values().forEach(held -> held.values().forEach(message -> all.add(message.call())));
        return all;
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
        listener.delivered(message.call(), source.node());
        return message;
    }

    /** Returns whether the message was delivered before, and notes that it was. */
    boolean noteDelivery(QueueMessage message) {
        boolean again = !delivered.add(message.number());
        if (again) {
            listener.redelivered(message.call());
        }
        return again;
    }

    /** Settles a message. Does nothing if it was redelivered on another connection meanwhile. */
    void settle(QueueSource source, QueueMessage message, boolean acknowledged) {
        Map<Long, QueueMessage> held = unsettled.get(source);
        if (held == null || held.remove(message.number()) == null) {
            return;
        }
        if (acknowledged) {
            listener.acknowledged(message.call(), source.node());
        } else {
            listener.released(message.call(), source.node());
            ready.addFirst(message);
            wake();
        }
    }

    private void wake() {
        unsettled.keySet().forEach(QueueSource::wake);
    }

    /** Publishes a message of a node. The result arrives at the node if the node still exists. */
    void publish(
            SimulatedProcess node,
            String queue,
            QueueMessage request,
            byte[] payload,
            Map<String, String> headers,
            Duration delay,
            Consumer<PublishResult> result) {
        // The bytes leave the node even if it is killed before they arrive.
        simulation.after(latency(), () -> {
            if (down) {
                answer(node, CONFIRM_TIMEOUT, new PublishResult.Failed("broker is down"), result);
            } else if (missing.contains(queue)) {
                PublishResult unknown = new PublishResult.UnknownTopicOrQueue("queue " + queue + " does not exist");
                answer(node, Duration.ZERO, unknown, result);
            } else if (simulation.random().nextDouble() < refusals) {
                answer(node, Duration.ZERO, new PublishResult.Failed("refused"), result);
            } else {
                store(node, queue, request, payload, headers, delay);
                confirm(node, request, result);
            }
        });
    }

    private void confirm(SimulatedProcess node, QueueMessage request, Consumer<PublishResult> result) {
        if (simulation.random().nextDouble() < lostConfirms) {
            listener.confirmLost(request.call());
            answer(node, CONFIRM_TIMEOUT, new PublishResult.Failed("not confirmed"), result);
            return;
        }
        int run = starts;
        simulation.after(Duration.ofNanos(slowNanos).plus(latency()), () -> {
            if (down || run != starts) {
                listener.confirmLost(request.call());
                node.execute(() -> result.accept(new PublishResult.Failed("connection lost")));
            } else {
                node.execute(() -> result.accept(PublishResult.CONFIRMED));
            }
        });
    }

    private void answer(SimulatedProcess node, Duration delay, PublishResult how, Consumer<PublishResult> result) {
        simulation.after(delay.plus(latency()), () -> node.execute(() -> result.accept(how)));
    }

    private Duration latency() {
        return Duration.ofNanos(simulation.random().nextLong(MAX_LATENCY_NANOS));
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
                .add("broker", () -> "stores " + queue + " of " + request.call() + ": " + Trace.shorten(payload));
        if (delay != null) {
            // Another number, because a lost confirm leaves both the request and its delayed copy.
            long number = sent++;
            QueueMessage copy = new QueueMessage(number, payload, headers, wallMillis(), true);
            delayed.put(number, copy);
            simulation.after(delay, () -> {
                delayed.remove(number);
                ready.add(copy);
                wake();
            });
        }
        listener.published(new Published(queue, request.call(), payload, headers, node.name(), simulation.millis()));
    }
}
