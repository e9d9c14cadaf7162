package io.iocluster.testkit.chaos.invariant;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.testkit.chaos.ChaosPlan;
import io.iocluster.testkit.chaos.PlannedCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects what happened to the calls of one plan. Ids of other plans are ignored. Thread-safe. */
public final class CallRecorder {

    private final Map<String, PlannedCall> calls = new HashMap<>();

    @GuardedBy("this")
    private final Map<String, Integer> copies = new HashMap<>();

    @GuardedBy("this")
    private final Set<String> mayBeDeleted = new HashSet<>();

    @GuardedBy("this")
    private final Map<String, List<ObservedAnswer>> answers = new HashMap<>();

    @GuardedBy("this")
    private final Map<String, Integer> deadLetters = new HashMap<>();

    public CallRecorder(ChaosPlan plan) {
        plan.calls().forEach(call -> calls.put(call.id(), call));
    }

    /** Records that the sender handed a message to the broker's client. Called before it does. */
    public synchronized void recordSent(PlannedCall call) {
        copies.merge(call.id(), 1, Integer::sum);
    }

    /** Records that the reply place is being deleted, with all answers in it that were not read. */
    public synchronized void recordReplyToDeleted() {
        for (String id : copies.keySet()) {
            if (calls.get(id).usesReplyTo()) {
                mayBeDeleted.add(id);
            }
        }
    }

    /** Records an answer. */
    public synchronized void recordAnswer(String id, ObservedAnswer answer) {
        if (calls.containsKey(id)) {
            answers.computeIfAbsent(id, any -> new ArrayList<>()).add(answer);
        }
    }

    /** Records a dead letter. */
    public synchronized void recordDeadLetter(String id) {
        if (calls.containsKey(id)) {
            deadLetters.merge(id, 1, Integer::sum);
        }
    }

    /**
     * Returns the history of each call.
     *
     * @param requests how many requests the targets saw, by id
     */
    public synchronized List<CallHistory> histories(Map<String, Integer> requests) {
        List<CallHistory> histories = new ArrayList<>();
        for (PlannedCall call : calls.values()) {
            histories.add(new CallHistory(
                    call,
                    copies.getOrDefault(call.id(), 0),
                    mayBeDeleted.contains(call.id()),
                    requests.getOrDefault(call.id(), 0),
                    answers.getOrDefault(call.id(), List.of()),
                    deadLetters.getOrDefault(call.id(), 0)));
        }
        return histories;
    }
}
