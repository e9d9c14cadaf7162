package io.iocluster.simulation.cluster;

import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.simulation.engine.SimulatedProcess;
import io.iocluster.simulation.engine.Simulation;
import io.iocluster.simulation.network.Network;
import io.iocluster.simulation.network.Target;
import io.iocluster.simulation.queue.QueueBroker;
import io.iocluster.simulation.queue.QueueTransport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Plays a schedule: the apps, the nodes, their broker and their targets. Confined to the thread of the simulation. */
public final class Cluster {

    private static final Duration RESTART = Duration.ofMillis(50);
    private static final int MAX_CLOCK_STEP_MILLIS = 20_000;

    private final Schedule schedule;
    private final Simulation simulation;
    private final QueueBroker broker;
    private final Network network;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<SimulatedNode> all = new ArrayList<>();
    private final int[] maxInFlight;
    private final Map<String, Long> restarts = new HashMap<>();
    private final Map<String, Integer> largestInFlight = new HashMap<>();
    private final List<Consumer<PlannedCall>> senders = new ArrayList<>();

    /** Creates the cluster of a schedule; nothing runs yet. */
    public Cluster(Schedule schedule, Simulation simulation) {
        this.schedule = schedule;
        this.simulation = simulation;
        this.broker = new QueueBroker(simulation);
        this.network = new Network(simulation);
        this.maxInFlight = new int[schedule.nodes()];
        network.add(new Target("fast.example", Duration.ofMillis(5), 0, 0));
        network.add(new Target("slow.example", Duration.ofMillis(600), 0.05, 0.02));
        network.add(new Target("flaky.example", Duration.ofMillis(30), 0.3, 0.2));
        network.add(new Target("limited.example", Duration.ofMillis(50), 0.02, 0));
        network.add(new Target("hedged.example", Duration.ofMillis(25), 0.05, 0.02));
    }

    public QueueBroker broker() {
        return broker;
    }

    public Network network() {
        return network;
    }

    /** Calls the listener when an app sends a call. */
    public void onSent(Consumer<PlannedCall> listener) {
        senders.add(listener);
    }

    /** Returns the nodes that run. */
    public List<SimulatedNode> nodes() {
        return nodes.stream().filter(node -> node.process().isAlive()).toList();
    }

    /** Returns every node that ever ran. */
    public List<SimulatedNode> all() {
        return List.copyOf(all);
    }

    /** Returns the largest {@code max-in-flight} that this run of a node ever had. */
    public int maxInFlightOf(String node) {
        return largestInFlight.getOrDefault(node, 0);
    }

    /** Runs the schedule until its end, with its faults. */
    public void play() {
        for (int i = 0; i < schedule.nodes(); i++) {
            maxInFlight[i] = schedule.maxInFlight();
            nodes.add(null);
            startNode(i);
        }
        for (PlannedCall call : schedule.calls()) {
            simulation.after(Duration.ofMillis(call.atMillis()), () -> send(call));
        }
        for (Fault fault : schedule.faults()) {
            simulation.after(Duration.ofMillis(fault.atMillis()), () -> begin(fault));
        }
        simulation.run(Duration.ofMillis(schedule.endMillis()));
    }

    private void send(PlannedCall call) {
        simulation.trace().add(call.app(), () -> "sends " + call.envelope());
        senders.forEach(sender -> sender.accept(call));
        broker.send(call.envelope().getBytes(StandardCharsets.UTF_8), Map.of("app", call.app(), "call", call.id()));
    }

    private void startNode(int number) {
        long run = restarts.merge("node-" + number, 1L, Long::sum);
        SimulatedProcess process = new SimulatedProcess(simulation, "node-" + number + "#" + run);
        SimulatedNode node = new SimulatedNode(
                process,
                new QueueTransport(broker, process),
                NodeSettings.of(process.name(), schedule, maxInFlight[number], false),
                network);
        largestInFlight.put(process.name(), maxInFlight[number]);
        nodes.set(number, node);
        all.add(node);
        simulation.trace().add(process.name(), () -> "starts");
        node.start();
    }

    private void end(SimulatedNode node) {
        node.process().kill();
        ((QueueTransport) node.transport()).disconnect();
        simulation.trace().add(node.process().name(), () -> "ended");
    }

    private void begin(Fault fault) {
        simulation.trace().add("fault", fault::toString);
        SimulatedNode node = nodes.get(fault.node());
        Duration time = Duration.ofMillis(fault.millis());
        switch (fault.kind()) {
            case KILL -> {
                if (node.process().isAlive()) {
                    end(node);
                    restartAfter(time, fault.node());
                }
            }
            case DRAIN -> {
                if (node.process().isAlive()) {
                    node.drain(() -> simulation.after(Duration.ofNanos(1), () -> {
                        end(node);
                        restartAfter(time, fault.node());
                    }));
                }
            }
            case PAUSE_PROCESS -> node.process().pause(time);
            case STEP_CLOCK ->
                node.process()
                        .stepClock(Duration.ofMillis((long) ((fault.strength() - 0.5) * 2 * MAX_CLOCK_STEP_MILLIS)));
            case RESIZE -> {
                maxInFlight[fault.node()] = 1 + (int) (fault.strength() * 30);
                largestInFlight.merge(node.process().name(), maxInFlight[fault.node()], Math::max);
                node.reconfigure(settings(node, fault.node(), false));
            }
            case RELOAD -> node.reconfigure(settings(node, fault.node(), true));
            case LOSE_CONNECTION -> ((QueueTransport) node.transport()).disconnect();
            case STOP_BROKER -> {
                broker.stop();
                simulation.after(time, broker::start);
            }
            case LOSE_CONFIRMS -> {
                broker.loseConfirms(fault.strength());
                simulation.after(time, () -> broker.loseConfirms(0));
            }
            case REFUSE_PUBLISHES -> {
                broker.refuse(fault.strength());
                simulation.after(time, () -> broker.refuse(0));
            }
            case SLOW_CONFIRMS -> {
                broker.slowDown(Duration.ofMillis((long) (fault.strength() * 2_000)));
                simulation.after(time, () -> broker.slowDown(Duration.ZERO));
            }
            case DELETE_REPLY_QUEUE -> {
                String queue = Schedule.REPLY_QUEUES.get(fault.strength() < 0.5 ? 0 : 1);
                broker.delete(queue);
                simulation.after(time, () -> broker.create(queue));
            }
            case TARGET_REFUSES -> change(fault, Target.State.REFUSES);
            case TARGET_HANGS -> change(fault, Target.State.HANGS);
            case TARGET_FAILS -> change(fault, Target.State.FAILS);
            case TARGET_RESETS -> change(fault, Target.State.RESETS);
            case LOSE_WORKER -> node.loseWorker();
        }
    }

    private PipelineSettings settings(SimulatedNode node, int number, boolean reloaded) {
        return NodeSettings.of(node.process().name(), schedule, maxInFlight[number], reloaded);
    }

    private void restartAfter(Duration time, int number) {
        simulation.after(time, () -> {
            if (!nodes.get(number).process().isAlive()) {
                startNode(number);
            }
        });
    }

    private void change(Fault fault, Target.State state) {
        Target target = network.target(fault.host());
        target.set(state);
        simulation.after(Duration.ofMillis(fault.millis()), () -> target.set(Target.State.WELL));
    }

    /** Ends all faults and starts the nodes that do not run. */
    public void heal() {
        simulation.trace().add("fault", () -> "all faults end");
        broker.start();
        broker.loseConfirms(0);
        broker.refuse(0);
        broker.slowDown(Duration.ZERO);
        Schedule.REPLY_QUEUES.forEach(broker::create);
        network.targets().forEach(target -> target.set(Target.State.WELL));
        for (int i = 0; i < nodes.size(); i++) {
            if (!nodes.get(i).process().isAlive()) {
                startNode(i);
            }
        }
    }

    /** Waits until nothing is left to do, at most for this time. */
    public void settle(Duration within) {
        long end = simulation.millis() + within.toMillis();
        while (simulation.millis() < end && (!broker.unsettledCalls().isEmpty() || !isIdle())) {
            simulation.run(RESTART);
        }
        // Settlements and confirms that are on their way.
        simulation.run(Duration.ofSeconds(1));
    }

    private boolean isIdle() {
        return nodes().stream()
                .allMatch(node -> node.pipeline().status().inFlight() == 0
                        && node.pipeline().status().waiting() == 0
                        && node.pipeline().status().unconfirmed() == 0);
    }
}
