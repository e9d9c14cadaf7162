package io.iocluster.simulation.cluster;

import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.simulation.broker.SimulatedBroker;
import io.iocluster.simulation.network.Network;
import io.iocluster.simulation.network.Target;
import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.testkit.simulation.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Plays a schedule: the apps, the nodes, their broker and their targets. Confined to the thread of the simulation. */
public final class Cluster {

    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration SHORT_DRAIN = Duration.ofMillis(500);
    private static final Duration LONG_DRAIN = Duration.ofSeconds(10);
    private static final int MAX_CLOCK_STEP_MILLIS = 20_000;
    private static final int MAX_SLOW_MILLIS = 2_000;
    private static final int MAX_SLOTS = 30;

    private final Schedule schedule;
    private final Simulation simulation;
    private final SimulatedBroker broker;
    private final Network network;
    private final Wiring wiring;
    private final ClusterListener listener;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<SimulatedNode> all = new ArrayList<>();
    private final AnnouncementTopic announcements;
    private final NodeSize[] sizes;
    private final int[] starts;
    private final Map<String, Integer> largestInFlight = new HashMap<>();

    /** Creates the cluster of a schedule; nothing runs yet. */
    public Cluster(
            Schedule schedule,
            Simulation simulation,
            SimulatedBroker broker,
            Network network,
            Wiring wiring,
            ClusterListener listener) {
        this.schedule = schedule;
        this.simulation = simulation;
        this.broker = broker;
        this.network = network;
        this.wiring = wiring;
        this.listener = listener;
        this.announcements = new AnnouncementTopic(simulation);
        this.sizes = new NodeSize[schedule.nodes()];
        this.starts = new int[schedule.nodes()];
        SimulatedTargets.addTo(network);
    }

    /** Returns the nodes that run. */
    public List<SimulatedNode> nodes() {
        return nodes.stream().filter(node -> node.process().isAlive()).toList();
    }

    /** Returns every node that ever ran. */
    public List<SimulatedNode> all() {
        return List.copyOf(all);
    }

    /** Returns the largest {@code max-in-flight} that this process ever had. */
    public int maxInFlightOf(String node) {
        return largestInFlight.getOrDefault(node, 0);
    }

    /** Runs the schedule until its end, with its faults. */
    public void play() {
        for (int i = 0; i < schedule.nodes(); i++) {
            sizes[i] = schedule.size();
            nodes.add(null);
            startNode(i);
        }
        for (PlannedCall call : schedule.calls()) {
            simulation.after(Duration.ofMillis(call.atMillis()), () -> send(call));
        }
        for (Fault fault : schedule.faults()) {
            // Between any two steps, not only at whole milliseconds.
            long nanos = simulation.random().nextLong(1_000_000);
            simulation.after(Duration.ofMillis(fault.atMillis()).plusNanos(nanos), () -> begin(fault));
        }
        simulation.run(Duration.ofMillis(schedule.endMillis()));
    }

    private void send(PlannedCall call) {
        simulation.trace().add(call.app(), call::toString);
        listener.sent(call);
        broker.send(call.message(), Map.of("app", call.app(), "call", call.id()));
    }

    private void startNode(int number) {
        SimulatedProcess process = new SimulatedProcess(simulation, "node-" + number + "#" + ++starts[number]);
        SimulatedNode node = new SimulatedNode(
                process,
                broker.connect(process),
                announcements.connect(process),
                NodeSettings.of(process.name(), sizes[number], false),
                network,
                wiring,
                listener);
        largestInFlight.put(process.name(), sizes[number].maxInFlight());
        nodes.set(number, node);
        all.add(node);
        simulation.trace().add(process.name(), () -> "starts");
        node.start();
    }

    private void end(SimulatedNode node) {
        node.process().kill();
        broker.disconnect(node.process());
        simulation.trace().add(node.name(), () -> "ends");
    }

    private void begin(Fault fault) {
        simulation.trace().add("fault", fault::toString);
        SimulatedNode node = nodes.get(fault.node());
        if (!node.process().isAlive()) {
            return;
        }
        Duration time = Duration.ofMillis(fault.millis());
        switch (fault.kind()) {
            case KILL -> {
                end(node);
                simulation.after(time, () -> restart(fault.node()));
            }
            case DRAIN ->
                node.drain(fault.strength() < 0.5 ? SHORT_DRAIN : LONG_DRAIN, () -> {
                    listener.drained(node);
                    end(node);
                    simulation.after(time, () -> restart(fault.node()));
                });
            case PAUSE_PROCESS -> node.process().pause(time);
            case STEP_CLOCK ->
                node.process()
                        .stepClock(Duration.ofMillis((long) ((fault.strength() - 0.5) * 2 * MAX_CLOCK_STEP_MILLIS)));
            case RESIZE -> resize(node, fault);
            case RELOAD -> node.reconfigure(settings(node, fault.node(), true));
            case LOSE_WORKER -> node.loseWorker();
            case PAUSE_READING -> {
                node.pauseReading();
                simulation.after(time, node::resumeReading);
            }
            case DISTURB_BROKER -> broker.disturb(fault.strength(), node.process(), time);
            case LOSE_CONNECTION -> broker.disconnect(node.process());
            default -> beginOutside(fault, time);
        }
    }

    /** Begins a fault of the broker or of a target. */
    private void beginOutside(Fault fault, Duration time) {
        switch (fault.kind()) {
            case STOP_BROKER -> {
                broker.stop();
                announcements.setDown(true);
                simulation.after(time, this::startBroker);
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
                broker.slowDown(Duration.ofMillis((long) (fault.strength() * MAX_SLOW_MILLIS)));
                simulation.after(time, () -> broker.slowDown(Duration.ZERO));
            }
            case DELETE_REPLY_QUEUE -> {
                String queue = SimulatedBroker.REPLY_QUEUES.get(fault.strength() < 0.5 ? 0 : 1);
                broker.delete(queue);
                simulation.after(time, () -> broker.create(queue));
            }
            case LOSE_ANNOUNCEMENTS -> {
                announcements.setLosing(true);
                simulation.after(time, () -> announcements.setLosing(false));
            }
            case DELAY_ANNOUNCEMENTS -> {
                announcements.setDelay(Duration.ofMillis((long) (fault.strength() * MAX_SLOW_MILLIS)));
                simulation.after(time, () -> announcements.setDelay(Duration.ZERO));
            }
            case TARGET_REFUSES -> change(fault, Target.State.REFUSES);
            case TARGET_HANGS -> change(fault, Target.State.HANGS);
            case TARGET_FAILS -> change(fault, Target.State.FAILS);
            case TARGET_RESETS -> change(fault, Target.State.RESETS);
            case TARGET_BUSY -> change(fault, Target.State.BUSY);
            default -> throw new IllegalArgumentException(fault.toString());
        }
    }

    private void startBroker() {
        broker.start();
        announcements.setDown(false);
    }

    private void resize(SimulatedNode node, Fault fault) {
        NodeSize size = sizes[fault.node()];
        int slots = 1 + (int) (fault.strength() * MAX_SLOTS);
        sizes[fault.node()] = new NodeSize(
                1 + slots % 3,
                slots,
                size.maxUnconfirmed(),
                size.maxWaiting(),
                size.maxMebibytes(),
                size.delayedAfter(),
                size.billingQuota());
        largestInFlight.merge(node.name(), slots, Math::max);
        node.reconfigure(settings(node, fault.node(), false));
    }

    private PipelineSettings settings(SimulatedNode node, int number, boolean reloaded) {
        return NodeSettings.of(node.name(), sizes[number], reloaded);
    }

    private void restart(int number) {
        if (!nodes.get(number).process().isAlive()) {
            startNode(number);
        }
    }

    private void change(Fault fault, Target.State state) {
        Target target = network.target(fault.host());
        target.set(state);
        simulation.after(Duration.ofMillis(fault.millis()), () -> target.set(Target.State.WELL));
    }

    /** Ends all faults and starts the nodes that do not run. */
    public void heal() {
        simulation.trace().add("fault", () -> "all faults end");
        startBroker();
        announcements.setLosing(false);
        announcements.setDelay(Duration.ZERO);
        broker.loseConfirms(0);
        broker.refuse(0);
        broker.slowDown(Duration.ZERO);
        broker.endDisturbances();
        SimulatedBroker.REPLY_QUEUES.forEach(broker::create);
        network.targets().forEach(target -> target.set(Target.State.WELL));
        for (int i = 0; i < nodes.size(); i++) {
            restart(i);
            nodes.get(i).resumeReading();
        }
    }

    /** Waits until nothing is left to do, at most for this time. */
    public void settle(Duration within) {
        long end = simulation.millis() + within.toMillis();
        while (simulation.millis() < end && (!broker.unsettledCalls().isEmpty() || !isIdle())) {
            simulation.run(POLL);
        }
        // Settlements and confirms that are on their way.
        simulation.run(Duration.ofSeconds(1));
    }

    private boolean isIdle() {
        return nodes().stream()
                .map(node -> node.pipeline().status())
                .allMatch(status -> status.inFlight() == 0 && status.waiting() == 0 && status.unconfirmed() == 0);
    }
}
