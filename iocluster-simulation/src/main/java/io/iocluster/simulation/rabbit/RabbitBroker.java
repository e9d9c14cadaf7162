package io.iocluster.simulation.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.config.RabbitSettings.AnswerRoutingSettings;
import io.iocluster.rabbit.config.RabbitSettings.DeadLetterQueueSettings;
import io.iocluster.simulation.broker.BrokerListener;
import io.iocluster.simulation.broker.Published;
import io.iocluster.simulation.broker.SimulatedBroker;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.testkit.simulation.Simulation;
import io.iocluster.testkit.simulation.Trace;
import io.iocluster.transport.DelayedRetrySettings;
import io.iocluster.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * RabbitMQ as the broker of a simulated cluster, whose nodes use their real transport. The seed chooses the version, the type of the queues,
 * their delivery limit, and the nodes' confirm timeout. Confined to the thread of the simulation.
 */
public final class RabbitBroker implements SimulatedBroker {

    private static final String USER = "guest";
    private static final String REQUESTS = "requests";
    private static final int PERSISTENT = 2;
    private static final int SMALL_DELIVERY_LIMIT = 3;
    private static final List<Duration> DELAYS =
            List.of(Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofSeconds(5));

    private final Simulation simulation;
    private final SimulatedRabbit rabbit;
    private final RabbitSettings settings;
    private final Map<String, Object> queueType;
    private final List<String> delayedQueues;
    private final Map<SimulatedProcess, RabbitNode> nodes = new HashMap<>();
    /** Requests of apps that wait until the broker runs. */
    private final List<Runnable> unsent = new ArrayList<>();
    /** How many messages of each call are in the request queue or in a queue of delayed retries, or are delivered. */
    private final TreeMap<String, Integer> unsettled = new TreeMap<>();

    private BrokerListener listener;
    private double refusals;
    private long stalledUntil;

    /** Creates a broker that runs. */
    public RabbitBroker(Simulation simulation) {
        SplittableRandom random = simulation.random();
        boolean quorum = random.nextInt(3) > 0;
        this.simulation = simulation;
        this.rabbit = new SimulatedRabbit(simulation, random.nextBoolean() ? "4.1.0" : "3.13.7");
        this.queueType = Map.of("x-queue-type", quorum ? "quorum" : "classic");
        this.settings = settings(Duration.ofSeconds(random.nextBoolean() ? 5 : 60));
        this.delayedQueues = settings.delayedQueues();
        rabbit.observe(new Observer(), settings.confirmTimeout());
        declareQueues(quorum && random.nextInt(4) == 0 ? SMALL_DELIVERY_LIMIT : 0);
    }

    private static RabbitSettings settings(Duration confirmTimeout) {
        return RecordCopy.with(
                RabbitSettings.DEFAULTS,
                "requests",
                RecordCopy.with(RabbitSettings.DEFAULTS.requests(), "queue", REQUESTS),
                "answers",
                new AnswerRoutingSettings("", ANSWERS, List.of("*")),
                "deadLetters",
                new DeadLetterQueueSettings(DEAD_LETTERS),
                "delayed",
                new DelayedRetrySettings(true, "", DELAYS),
                "confirmTimeout",
                confirmTimeout);
    }

    private void declareQueues(int deliveryLimit) {
        Map<String, Object> requests = new TreeMap<>(deadLetteringTo(DEAD_LETTERS));
        if (deliveryLimit > 0) {
            requests.put("x-delivery-limit", deliveryLimit);
        }
        rabbit.declareQueue(REQUESTS, requests);
        create(ANSWERS);
        create(DEAD_LETTERS);
        SimulatedBroker.REPLY_QUEUES.forEach(this::create);
        for (int i = 0; i < DELAYS.size(); i++) {
            Map<String, Object> delayed = new TreeMap<>(deadLetteringTo(REQUESTS));
            delayed.put("x-message-ttl", DELAYS.get(i).toMillis());
            rabbit.declareQueue(delayedQueues.get(i), delayed);
        }
    }

    /** Returns the arguments with which a node declares a queue whose messages go to another one. */
    private Map<String, Object> deadLetteringTo(String queue) {
        Map<String, Object> arguments = new TreeMap<>(queueType);
        arguments.put("x-dead-letter-exchange", "");
        arguments.put("x-dead-letter-routing-key", queue);
        if (queueType.containsValue("quorum")) {
            arguments.put("x-dead-letter-strategy", "at-least-once");
            arguments.put("x-overflow", "reject-publish");
        }
        return arguments;
    }

    @Override
    public void observe(BrokerListener observer) {
        listener = observer;
    }

    BrokerListener listener() {
        return listener;
    }

    @Override
    public Transport connect(SimulatedProcess process) {
        RabbitNode node = new RabbitNode(this, process, rabbit.connections(process, USER), settings);
        nodes.put(process, node);
        return node;
    }

    @Override
    public void disconnect(SimulatedProcess process) {
        rabbit.disconnect(process);
    }

    @Override
    public void send(byte[] payload, Map<String, String> headers) {
        Map<String, Object> all = new TreeMap<>(headers);
        all.put("timestamp_in_ms", Simulation.START_MILLIS + simulation.millis());
        BasicProperties properties = new BasicProperties.Builder()
                .deliveryMode(PERSISTENT)
                .headers(all)
                .build();
        unsettled.merge(headers.get("call"), 1, Integer::sum);
        Runnable publish = () -> rabbit.publish("", REQUESTS, properties, payload);
        if (rabbit.isDown()) {
            unsent.add(publish);
        } else {
            publish.run();
        }
    }

    @Override
    public void stop() {
        simulation.trace().add("broker", () -> "crashes");
        rabbit.crash();
    }

    @Override
    public void start() {
        if (rabbit.isDown()) {
            simulation.trace().add("broker", () -> "starts");
            rabbit.start();
            List.copyOf(unsent).forEach(Runnable::run);
            unsent.clear();
        }
    }

    @Override
    public void loseConfirms(double part) {
        rabbit.loseConfirms(part);
    }

    @Override
    public void refuse(double part) {
        refusals = part;
        targets().forEach(queue -> rabbit.refuse(queue, part));
    }

    /** Returns the queues to which nodes publish. */
    List<String> targets() {
        List<String> targets = new ArrayList<>(SimulatedBroker.REPLY_QUEUES);
        targets.add(ANSWERS);
        targets.add(DEAD_LETTERS);
        targets.addAll(delayedQueues);
        return targets;
    }

    /** Refuses all messages to a queue for this time, as a full queue does. */
    void fill(String queue, Duration time) {
        rabbit.refuse(queue, 1);
        simulation.after(time, () -> rabbit.refuse(queue, refusals));
    }

    @Override
    public void slowDown(Duration by) {
        rabbit.slowDown(by);
    }

    @Override
    public void disturb(double which, SimulatedProcess node, Duration time) {
        RabbitFault[] faults = RabbitFault.values();
        double scaled = which * faults.length;
        RabbitFault fault = faults[(int) scaled];
        simulation.trace().add("broker", () -> fault + " of " + node.name());
        fault.begin(this, rabbit, node, scaled - (int) scaled, time);
    }

    /** Delivers nothing on the connections of a process for this time. */
    void stall(SimulatedProcess node, Duration time) {
        rabbit.stall(node, time);
        stalledUntil = Math.max(stalledUntil, simulation.nanos() + time.toNanos());
    }

    Simulation simulation() {
        return simulation;
    }

    boolean isQuorum() {
        return queueType.containsValue("quorum");
    }

    String requestQueue() {
        return REQUESTS;
    }

    @Override
    public void endDisturbances() {
        rabbit.setAlarm(false);
        rabbit.electLeader(REQUESTS);
        targets().stream().filter(rabbit::exists).forEach(rabbit::electLeader);
        targets().forEach(queue -> rabbit.refuse(queue, 0));
        create(ANSWERS);
    }

    @Override
    public void delete(String queue) {
        rabbit.deleteQueue(queue);
    }

    @Override
    public void create(String queue) {
        rabbit.declareQueue(queue, queueType);
    }

    /** Returns 0 while a node may have a reason to make no calls although it is connected. */
    @Override
    public int readyFor(SimulatedProcess process) {
        boolean hindered = rabbit.isDown()
                || rabbit.isAlarmRaised()
                || !rabbit.queue(REQUESTS).hasLeader()
                || simulation.nanos() < stalledUntil;
        return hindered ? 0 : rabbit.queue(REQUESTS).ready();
    }

    @Override
    public int heldBy(SimulatedProcess process) {
        return nodes.get(process).left();
    }

    @Override
    public Set<String> unsettledCalls() {
        return Collections.unmodifiableSet(unsettled.keySet());
    }

    private void settled(String call) {
        unsettled.computeIfPresent(call, (same, count) -> count == 1 ? null : count - 1);
    }

    static String callOf(BasicProperties properties) {
        return String.valueOf(properties.getHeaders().get("call"));
    }

    private static Map<String, String> headersOf(BasicProperties properties) {
        Map<String, String> headers = new TreeMap<>();
        properties.getHeaders().forEach((name, value) -> headers.put(name, String.valueOf(value)));
        return headers;
    }

    /** Tells the oracle what happens in the queues. */
    private final class Observer implements RabbitObserver {

        @Override
        public void stored(String queue, SimulatedProcess publisher, BasicProperties properties, byte[] body) {
            String call = callOf(properties);
            boolean delayed = delayedQueues.contains(queue);
            if (delayed) {
                unsettled.merge(call, 1, Integer::sum);
            }
            if (publisher != null) {
                simulation.trace().add("broker", () -> "stores " + queue + " of " + call + ": " + Trace.shorten(body));
                listener.published(new Published(
                        delayed ? DELAYED : queue,
                        call,
                        body,
                        headersOf(properties),
                        publisher.name(),
                        simulation.millis()));
            } else if (queue.equals(DEAD_LETTERS)) {
                simulation.trace().add("broker", () -> "gives up " + call + " after too many deliveries");
                settled(call);
                listener.deliveredTooOften(call);
            }
        }

        @Override
        public void acknowledged(String queue, SimulatedProcess consumer, BasicProperties properties) {
            if (queue.equals(REQUESTS)) {
                settled(callOf(properties));
                listener.acknowledged(callOf(properties), consumer.name());
            }
        }

        @Override
        public void returned(SimulatedProcess consumer, byte[] body) {
            nodes.get(consumer).returned(body);
        }

        @Override
        public void left(SimulatedProcess consumer, byte[] body) {
            nodes.get(consumer).left(body);
        }

        @Override
        public void lost(BasicProperties properties, byte[] body) {
            simulation.trace().add("broker", () -> "loses " + callOf(properties) + ": " + Trace.shorten(body));
            listener.lost(callOf(properties), body);
        }

        @Override
        public void confirmLost(SimulatedProcess publisher, BasicProperties properties) {
            simulation.trace().add("broker", () -> "confirm of " + callOf(properties) + " is lost");
            listener.confirmLost(callOf(properties));
        }
    }
}
