package io.iocluster.simulation.oracle;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.simulation.cluster.Cluster;
import io.iocluster.simulation.cluster.Fault;
import io.iocluster.simulation.cluster.NodeSettings;
import io.iocluster.simulation.cluster.PlannedCall;
import io.iocluster.simulation.cluster.Schedule;
import io.iocluster.simulation.cluster.SimulatedNode;
import io.iocluster.simulation.network.Network.Attempt;
import io.iocluster.simulation.queue.QueueBroker;
import io.iocluster.simulation.queue.QueueBroker.Published;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Records what the apps sent, what the targets saw and what the broker stored, and checks the promises of docs/guarantees.md. Confined to the
 * thread of the simulation.
 */
public final class Oracle {

    /** A tick of the node, the waits of its threads, and the time on the wire. */
    private static final long TICK_MILLIS = 50;

    /** Faults after which a message is delivered again, or an answer published again. */
    private static final Set<Fault.Kind> DUPLICATING = EnumSet.of(
            Fault.Kind.KILL,
            Fault.Kind.DRAIN,
            Fault.Kind.LOSE_CONNECTION,
            Fault.Kind.STOP_BROKER,
            Fault.Kind.LOSE_CONFIRMS);

    /** Faults during which a node cannot keep its times. */
    private static final Set<Fault.Kind> TIME_FAULTS = EnumSet.of(Fault.Kind.PAUSE_PROCESS, Fault.Kind.STEP_CLOCK);

    private final Schedule schedule;
    private final Cluster cluster;
    private final AnswerDecoder decoder = new AnswerDecoder();
    private final Map<String, CallRecord> calls = new LinkedHashMap<>();
    private final Map<String, List<Attempt>> active = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();

    /** What is known about one call. */
    private static final class CallRecord {

        private final PlannedCall planned;
        private final List<Attempt> attempts = new ArrayList<>();
        private final List<Answer> answers = new ArrayList<>();
        private final List<Published> deadLetters = new ArrayList<>();

        CallRecord(PlannedCall planned) {
            this.planned = planned;
        }
    }

    /** Observes a cluster that has not started. */
    public Oracle(Schedule schedule, Cluster cluster) {
        this.schedule = schedule;
        this.cluster = cluster;
        cluster.onSent(call -> calls.put(call.id(), new CallRecord(call)));
        cluster.network().onAttempt(this::attempted);
        cluster.broker().onPublished(this::published);
    }

    private void attempted(Attempt attempt) {
        CallRecord call = calls.get(attempt.call());
        if (call == null) {
            violation("attempt of a call that nobody sent: " + attempt.call());
            return;
        }
        call.attempts.add(attempt);
        checkDeadline(call, attempt);
        List<Attempt> ofNode = active.computeIfAbsent(attempt.node(), node -> new ArrayList<>());
        ofNode.removeIf(Attempt::isEnded);
        ofNode.add(attempt);
        long limited = ofNode.stream()
                .filter(each -> each.host().equals("limited.example"))
                .count();
        if (limited > NodeSettings.LIMITED_IN_FLIGHT) {
            violation(limited + " calls in flight at limited.example of " + attempt.node());
        }
        int max = cluster.maxInFlightOf(attempt.node());
        if (ofNode.size() > max) {
            violation(ofNode.size() + " calls in flight on " + attempt.node() + ", max-in-flight " + max);
        }
    }

    private void checkDeadline(CallRecord call, Attempt attempt) {
        long deadline = call.planned.deadlineMs();
        if (deadline > 0
                && !hasFault(TIME_FAULTS)
                && attempt.startMillis() > call.planned.atMillis() + deadline + TICK_MILLIS) {
            violation("attempt of " + attempt.call() + " at " + attempt.startMillis() + " ms, after its deadline at "
                    + (call.planned.atMillis() + deadline) + " ms");
        }
    }

    private void published(Published message) {
        CallRecord call = calls.get(message.call());
        if (call == null) {
            violation("message of a call that nobody sent: " + message.call());
        } else if (message.queue().equals(QueueBroker.DEAD_LETTERS)) {
            call.deadLetters.add(message);
        } else if (!message.queue().equals("delayed")) {
            try {
                call.answers.add(decoder.decode(message.payload()));
            } catch (IllegalArgumentException invalid) {
                violation("answer of " + message.call() + " cannot be decoded: " + invalid.getMessage());
            }
        }
    }

    private boolean hasFault(Set<Fault.Kind> kinds) {
        return schedule.faults().stream().anyMatch(fault -> kinds.contains(fault.kind()));
    }

    /** Records a violation. */
    public void violation(String what) {
        violations.add(what);
    }

    /** Checks everything after the cluster has settled. Returns the violations. */
    public List<String> check() {
        Set<String> unsettled = cluster.broker().unsettledCalls();
        if (!unsettled.isEmpty()) {
            violation("not settled: " + unsettled);
        }
        calls.values().forEach(this::checkCall);
        cluster.nodes().forEach(this::checkNothingIsHeld);
        for (SimulatedNode node : cluster.all()) {
            long twice = node.transport().source().status().duplicateSettlements();
            if (twice > 0) {
                violation(twice + " messages settled twice by " + node.process().name());
            }
        }
        return List.copyOf(violations);
    }

    private void checkCall(CallRecord call) {
        PlannedCall planned = call.planned;
        String id = planned.id();
        int ends = call.answers.size() + call.deadLetters.size();
        int deliveries = cluster.broker().deliveries(id);
        int ambiguous = cluster.broker().unconfirmed(id);
        if (planned.reply().equals("always") && ends == 0) {
            violation(id + " has neither an answer nor a dead letter");
        }
        int bound = hasFault(DUPLICATING) ? deliveries + ambiguous : 1;
        if (ends > bound) {
            violation(id + " has " + call.answers.size() + " answers and " + call.deadLetters.size()
                    + " dead letters after " + deliveries + " deliveries and " + ambiguous + " lost confirms");
        }
        for (Answer answer : call.answers) {
            checkAnswer(call, answer, deliveries > cluster.broker().messages(id) || ambiguous > 0);
        }
    }

    private void checkAnswer(CallRecord call, Answer answer, boolean again) {
        String id = call.planned.id();
        long seen = call.attempts.stream().filter(Attempt::isSeen).count();
        if (!id.equals(answer.id())) {
            violation(id + " has an answer with the id " + answer.id());
        }
        if (call.planned.reply().equals("failures") && answer.outcome() == Outcome.ANSWERED) {
            violation(id + " asked for failures only, and was answered");
        }
        if (answer.error() != null && answer.error().code().equals("internal")) {
            violation(id + " ended with a defect: " + answer.error().message());
        }
        if (answer.outcome() == Outcome.ANSWERED && seen == 0) {
            violation(id + " is answered, and no target saw it");
        }
        if (call.planned.mode() != null) {
            return;
        }
        if (answer.error() != null && answer.error().sent() == SentStatus.NO && seen > 0 && !again) {
            violation(id + " says sent: no, and the target saw it " + seen + " times");
        }
        if (!again && answer.attempts() != call.attempts.size()) {
            violation(id + " says " + answer.attempts() + " attempts, and made " + call.attempts.size());
        }
    }

    private void checkNothingIsHeld(SimulatedNode node) {
        PipelineStatus status = node.pipeline().status();
        String name = node.process().name();
        if (status.inFlight() != 0
                || status.waiting() != 0
                || status.unconfirmed() != 0
                || status.inFlightBytes() != 0) {
            violation(name + " holds " + status.inFlight() + " slots, " + status.waiting() + " waiting calls, "
                    + status.unconfirmed() + " unconfirmed answers, " + status.inFlightBytes() + " bytes");
        }
        node.pipeline().destinations().stream()
                .filter(each -> each.inFlight() != 0 || each.waiting() != 0)
                .forEach(each -> violation(name + " holds " + each.inFlight() + " slots and " + each.waiting()
                        + " waiting calls of " + each.name()));
        node.pipeline().apps().stream()
                .filter(each -> each.inFlight() != 0 || each.waiting() != 0)
                .forEach(each -> violation(name + " holds " + each.inFlight() + " slots and " + each.waiting()
                        + " waiting calls of app " + each.name()));
    }
}
