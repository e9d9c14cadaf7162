package io.iocluster.simulation.oracle;

import io.iocluster.message.AnswerDecoder;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.simulation.broker.BrokerListener;
import io.iocluster.simulation.broker.Published;
import io.iocluster.simulation.broker.SimulatedBroker;
import io.iocluster.simulation.cluster.Cluster;
import io.iocluster.simulation.cluster.ClusterListener;
import io.iocluster.simulation.cluster.PlannedCall;
import io.iocluster.simulation.cluster.PlannedCall.Flaw;
import io.iocluster.simulation.cluster.Schedule;
import io.iocluster.simulation.cluster.SimulatedNode;
import io.iocluster.simulation.cluster.SimulatedTargets;
import io.iocluster.simulation.network.Attempt;
import io.iocluster.simulation.network.NetworkListener;
import io.iocluster.testkit.simulation.Simulation;
import io.iocluster.transport.PublishResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Records what apps, targets and the broker saw, and checks the promises of docs/guarantees.md. Confined to the thread of the simulation.
 */
public final class Oracle implements BrokerListener, NetworkListener, ClusterListener {

    /** How long a node may need to stop reading. */
    private static final long STOP_MILLIS = 100;

    private final Simulation simulation;
    private final Violations violations;
    private final PublishTroubles troubles;
    private final AttemptCheck attempts;
    private final AnswerCheck answers;
    private final AnswerDecoder decoder = new AnswerDecoder();
    private final Map<String, CallHistory> calls = new LinkedHashMap<>();
    private final Map<String, Attempt> responses = new HashMap<>();
    private final Map<String, Long> deliveries = new HashMap<>();
    private final Schedule schedule;
    private Cluster cluster;
    private SimulatedBroker broker;
    private ProgressCheck progress;

    /** Creates the oracle of a run. */
    public Oracle(Schedule schedule, Simulation simulation) {
        this.schedule = schedule;
        this.simulation = simulation;
        this.violations = new Violations(simulation);
        this.attempts = new AttemptCheck(schedule, () -> cluster, violations);
        this.troubles = new PublishTroubles(simulation);
        this.answers = new AnswerCheck(schedule, () -> broker, violations, troubles, responses, calls);
    }

    /** Observes a cluster that has not started. */
    public void observe(Cluster observed, SimulatedBroker observedBroker) {
        cluster = observed;
        broker = observedBroker;
        broker.observe(this);
        progress = new ProgressCheck(schedule, simulation, cluster, broker, this::deliveriesTo, violations);
        progress.start();
    }

    private long deliveriesTo(String node) {
        return deliveries.getOrDefault(node, 0L);
    }

    @Override
    public void sent(PlannedCall call) {
        calls.put(call.id(), new CallHistory(call));
    }

    @Override
    public void delivered(String call, String node) {
        CallHistory history = calls.get(call);
        history.delivered(node, simulation.millis());
        deliveries.merge(node, 1L, Long::sum);
        if (history.delayedCopies() > 0) {
            progress.readDelayed(history, node);
        }
        cluster.all().stream()
                .filter(each -> each.name().equals(node) && each.stoppedReading(STOP_MILLIS))
                .forEach(each -> violations.add(Promise.READS_NOTHING, node + " read " + call));
    }

    @Override
    public void repeated(String call, String node, String why) {
        violations.add(Promise.FEW_DUPLICATES, node + " read " + call + " again, although " + why);
    }

    @Override
    public void overtook(String call, String node, String other) {
        violations.add(Promise.ORDER, node + " read " + call + " before " + other + " was settled");
    }

    @Override
    public void redelivered(String call) {
        calls.get(call).redelivered();
    }

    @Override
    public void acknowledged(String id, String node) {
        CallHistory call = calls.get(id);
        call.acknowledged(node);
        if (call.acknowledgedBy(node) > call.storedBy(node) && !mayEndWithoutAnswer(call, node)) {
            violations.add(
                    Promise.SETTLED_AFTER_CONFIRM, id + " was settled by " + node + " before a result was stored");
        }
    }

    /** Returns whether the call needs no answer, because it was answered. */
    private static boolean mayEndWithoutAnswer(CallHistory call, String node) {
        PlannedCall planned = call.planned();
        return planned.flaw() == Flaw.NONE
                && !planned.reply().equals("always")
                && (planned.hosts().contains(SimulatedTargets.CACHED)
                        || call.attemptsOf(node).stream().anyMatch(each -> each.response() != null));
    }

    @Override
    public void released(String id, String node) {
        boolean stops = cluster.all().stream().anyMatch(each -> each.name().equals(node) && each.isDraining());
        if (!stops && calls.get(id).delayedCopies() == 0) {
            violations.add(Promise.FEW_DUPLICATES, id + " was returned to the queue by " + node + " without a reason");
        }
    }

    @Override
    public void deliveredTooOften(String call) {
        calls.get(call).deliveredTooOften();
    }

    @Override
    public void lost(String call, byte[] payload) {
        calls.get(call).lost(payload);
    }

    @Override
    public void confirmLost(String call) {
        calls.get(call).confirmLost();
    }

    @Override
    public void published(Published message) {
        CallHistory call = calls.get(message.call());
        simulation
                .trace()
                .mix(Arrays.hashCode(message.payload())
                        + 31L * message.headers().hashCode());
        switch (message.queue()) {
            case SimulatedBroker.DEAD_LETTERS -> call.deadLetter(message);
            case SimulatedBroker.DELAYED ->
                call.delayed(
                        message,
                        Instant.parse(message.headers().get("iocluster-due-at")).toEpochMilli()
                                - Simulation.START_MILLIS);
            default -> {
                try {
                    call.answered(decoder.decode(message.payload()), message);
                    answers.checkQueue(call.planned(), message);
                } catch (IllegalArgumentException invalid) {
                    violations.add(
                            Promise.TRUE_ANSWER,
                            "answer of " + message.call() + " cannot be decoded: " + invalid.getMessage());
                }
            }
        }
    }

    @Override
    public void started(Attempt attempt) {
        CallHistory call = calls.get(attempt.call());
        if (call == null) {
            violations.add(Promise.NO_DEFECT, "attempt of a call that no app sent: " + attempt.call());
            return;
        }
        simulation.trace().mix(attempt.call().hashCode() * 31L + attempt.branch());
        call.attempted(attempt);
        attempts.started(call, attempt);
        attempts.checkQuota(attempt, calls);
    }

    @Override
    public void ended(Attempt attempt) {
        attempts.ended(calls.get(attempt.call()), attempt);
        if (attempt.response() != null) {
            responses.put(attempt.body(), attempt);
        }
        if (attempt.response() == null || attempt.response().status() >= 400) {
            progress.failed(attempt);
        }
    }

    @Override
    public void shareChanged(SimulatedNode changed) {
        simulation.trace().add(changed.name(), () -> "has the share " + changed.share());
        attempts.checkShares(simulation.millis());
    }

    @Override
    public void drained(SimulatedNode node) {
        PipelineStatus status = node.pipeline().status();
        if (status.inFlight() + status.waiting() + status.unconfirmed() == 0 && broker.heldBy(node.process()) > 0) {
            violations.add(
                    Promise.SETTLED_AFTER_CONFIRM,
                    node.name() + " drained and left " + broker.heldBy(node.process()) + " messages unsettled");
        }
    }

    @Override
    public void publishes(String node, String call, String replyTo, CompletionStage<PublishResult> result) {
        troubles.publishes(node, call, replyTo, result);
    }

    @Override
    public void isMissing(String node, String replyTo) {
        troubles.isMissing(node, replyTo);
    }

    /** Records that the run does not end. Returns the violations until now. */
    public List<Violation> doesNotEnd(Throwable why) {
        violations.add(Promise.TERMINATES, why + " at " + Violations.firstFrames(why));
        return violations.all();
    }

    /** Reports that something is wrong with the run as a whole. */
    public void report(Promise promise, String what) {
        violations.add(promise, what);
    }

    /** Returns how long the calls to this host took. A call without an answer took until now. */
    public List<CallTimes> times(String host, long sentFromMillis) {
        return calls.values().stream()
                .filter(call ->
                        call.planned().hosts().contains(host) && call.planned().atMillis() >= sentFromMillis)
                .map(call -> call.times(simulation.millis()))
                .toList();
    }

    /** Checks everything after the cluster has settled. Returns the violations in their order. */
    public List<Violation> check() {
        Set<String> unsettled = broker.unsettledCalls();
        if (!unsettled.isEmpty()) {
            violations.add(Promise.ENDS, "not settled: " + unsettled);
        }
        calls.values().forEach(answers::check);
        cluster.nodes().forEach(this::checkNothingIsHeld);
        for (SimulatedNode node : cluster.all()) {
            long twice = node.transport().source().status().duplicateSettlements();
            if (twice > 0) {
                violations.add(Promise.NO_DEFECT, twice + " messages settled twice by " + node.name());
            }
        }
        simulation.defects().forEach(defect -> violations.add(Promise.NO_DEFECT, defect));
        return violations.all();
    }

    private void checkNothingIsHeld(SimulatedNode node) {
        PipelineStatus status = node.pipeline().status();
        List<String> held = new ArrayList<>();
        if (status.inFlight() != 0
                || status.waiting() != 0
                || status.unconfirmed() != 0
                || status.inFlightBytes() != 0) {
            held.add(status.inFlight() + " slots, " + status.waiting() + " waiting calls, " + status.unconfirmed()
                    + " unconfirmed answers, " + status.inFlightBytes() + " bytes");
        }
        node.pipeline().destinations().stream()
                .filter(each -> each.inFlight() != 0 || each.waiting() != 0)
                .forEach(each -> held.add(
                        each.inFlight() + " slots and " + each.waiting() + " waiting calls of " + each.name()));
        node.pipeline().apps().stream()
                .filter(each -> each.inFlight() != 0 || each.waiting() != 0)
                .forEach(each -> held.add(
                        each.inFlight() + " slots and " + each.waiting() + " waiting calls of app " + each.name()));
        held.forEach(what -> violations.add(Promise.REST, node.name() + " holds " + what));
    }
}
