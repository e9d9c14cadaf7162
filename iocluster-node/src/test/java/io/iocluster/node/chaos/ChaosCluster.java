package io.iocluster.node.chaos;

import io.iocluster.node.chaos.broker.ChaosBroker;
import io.iocluster.node.chaos.broker.ChaosTransport;
import io.iocluster.node.chaos.node.ChaosNode;
import io.iocluster.node.chaos.node.ChaosSettings;
import io.iocluster.node.chaos.node.TemporaryNode;
import io.iocluster.testkit.chaos.CallKind;
import io.iocluster.testkit.chaos.ChaosPlan;
import io.iocluster.testkit.chaos.PlannedCall;
import io.iocluster.testkit.chaos.invariant.CallHistory;
import io.iocluster.testkit.chaos.invariant.CallRecorder;
import io.iocluster.testkit.chaos.invariant.ChaosRunResult;
import io.iocluster.testkit.chaos.invariant.IdleNodeStatus;
import io.iocluster.testkit.process.FixedWait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A broker, targets and two nodes on which plans run, one after the other. At the end of each run everything is repaired. Owned by one thread.
 */
final class ChaosCluster implements AutoCloseable {

    private static final Duration SETTLED = Duration.ofMinutes(3);
    private static final int POLL_MILLIS = 100;
    private static final int LATE_MILLIS = 1_000;
    private static final int WARM_UP_CALLS = 50;
    private static final int WARM_UP_SEED = -1;

    private final Path folder;
    private final ChaosBroker broker;
    private final ChaosTargets targets = new ChaosTargets();
    private final List<ChaosNode> nodes = new ArrayList<>();
    private final TemporaryNode temporaryNode;
    private final CpuContentionProbe contentionProbe = new CpuContentionProbe();

    /**
     * Starts everything.
     *
     * @param folder takes the nodes' configurations and logs, and is kept
     */
    ChaosCluster(ChaosTransport transport, Path folder) {
        this.folder = folder;
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.broker = transport.launch();
        this.temporaryNode = new TemporaryNode("node-3", broker.configuration("node-3"), folder);
        startNodes();
    }

    /** Runs a plan, repairs what it broke, and checks the invariants. */
    ChaosReport run(ChaosPlan plan) throws InterruptedException {
        long start = System.nanoTime();
        contentionProbe.takeWorst();
        nodes.forEach(node -> node.mark("---- seed " + plan.seed()));
        targets.reset();
        CallRecorder recorder = new CallRecorder(plan);
        List<String> notes = new ArrayList<>();
        long faultsOver;
        try (CallSender sender = new CallSender(plan, broker, targets, recorder);
                FaultRunner faults =
                        new FaultRunner(plan, new ClusterFaultInjector(broker, nodes, temporaryNode, recorder))) {
            sender.start(plan);
            faults.start(plan);
            notes.addAll(faults.await());
            faultsOver = System.nanoTime();
            repair(notes);
            if (!sender.await(SETTLED)) {
                notes.add("not all calls were sent within " + SETTLED);
            }
            settle(recorder);
        }
        double contention = contentionProbe.takeWorst();
        ChaosRunResult result = new ChaosRunResult(
                plan,
                recorder.histories(targets.requests()),
                nodes.stream().map(ChaosNode::atRest).toList(),
                broker.rules(),
                ChaosSettings.DEADLINE_MILLIS,
                (long) (LATE_MILLIS * contention),
                ChaosSettings.MAX_ATTEMPTS,
                targets.open());
        long end = System.nanoTime();
        return ChaosReport.of(
                result, notes, Duration.ofNanos(end - start), Duration.ofNanos(end - faultsOver), contention, folder);
    }

    /** Ends both nodes and starts them again, so that a run does not suffer from the one before it. */
    void renewNodes() {
        nodes.forEach(ChaosNode::close);
        nodes.clear();
        startNodes();
    }

    private void startNodes() {
        for (String id : List.of("node-1", "node-2")) {
            nodes.add(new ChaosNode(id, broker.configuration(id), folder));
        }
        nodes.forEach(ChaosNode::awaitReady);
        warmUp();
    }

    /** Makes calls whose duration is not checked, because the first calls load the classes. */
    private void warmUp() {
        List<PlannedCall> calls = IntStream.range(0, WARM_UP_CALLS)
                .mapToObj(i -> new PlannedCall("c" + WARM_UP_SEED + "-" + i, 0, CallKind.OK, false, 0, false))
                .toList();
        ChaosPlan plan = new ChaosPlan(WARM_UP_SEED, List.of(), calls);
        CallRecorder recorder = new CallRecorder(plan);
        try (CallSender sender = new CallSender(plan, broker, targets, recorder)) {
            sender.start(plan);
            sender.await(SETTLED);
            settle(recorder);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void repair(List<String> notes) throws InterruptedException {
        broker.restoreReplyTo();
        for (ChaosNode node : nodes) {
            try {
                node.restore();
            } catch (IOException | RuntimeException problem) {
                notes.add("a node could not be repaired: " + problem);
            }
        }
    }

    /** Waits until each call is over and the nodes hold nothing, or until that takes too long. */
    private void settle(CallRecorder recorder) {
        long end = System.nanoTime() + SETTLED.toNanos();
        do {
            FixedWait.millis(POLL_MILLIS);
            broker.collect(recorder);
        } while (System.nanoTime() - end < 0 && !(isOver(recorder) && isAtRest()));
        broker.collect(recorder);
    }

    private boolean isOver(CallRecorder recorder) {
        return recorder.histories(targets.requests()).stream().allMatch(CallHistory::isSettled);
    }

    private boolean isAtRest() {
        return targets.open() == 0 && nodes.stream().map(ChaosNode::atRest).allMatch(IdleNodeStatus::isIdle);
    }

    @Override
    public void close() {
        contentionProbe.close();
        nodes.forEach(ChaosNode::close);
        targets.close();
        broker.close();
    }
}
