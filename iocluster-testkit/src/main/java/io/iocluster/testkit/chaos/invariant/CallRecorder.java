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

/** Records the events of the calls of one plan. Ignores ids of other plans. Thread-safe. */
public final class CallRecorder {

    private final Map<String, PlannedCall> calls = new HashMap<>();

    @GuardedBy("this")
    private final Map<String, Integer> messagesSent = new HashMap<>();

    @GuardedBy("this")
    private final Set<String> mayBeDeleted = new HashSet<>();

    @GuardedBy("this")
    private final Map<String, List<ObservedAnswer>> answers = new HashMap<>();

    @GuardedBy("this")
    private final Map<String, Integer> deadLetters = new HashMap<>();

    public CallRecorder(ChaosPlan plan) {
        plan.calls().forEach(call -> calls.put(call.id(), call));
    }

    /** Records that a message is sent. Call it before the message is passed to the broker's client. */
    public synchronized void recordSent(PlannedCall call) {
        messagesSent.merge(call.id(), 1, Integer::sum);
    }

    /** Records that the {@code replyTo} topic or queue is deleted, with all answers that were not read. */
    public synchronized void recordReplyToDeleted() {
        for (String id : messagesSent.keySet()) {
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
     * @param requests the requests that the targets received, by id
     */
    public synchronized List<CallHistory> histories(Map<String, ObservedRequests> requests) {
        List<CallHistory> histories = new ArrayList<>();
        for (PlannedCall call : calls.values()) {
            histories.add(new CallHistory(
                    call,
                    messagesSent.getOrDefault(call.id(), 0),
                    mayBeDeleted.contains(call.id()),
                    requests.getOrDefault(call.id(), ObservedRequests.NONE),
                    answers.getOrDefault(call.id(), List.of()),
                    deadLetters.getOrDefault(call.id(), 0)));
        }
        return histories;
    }
}
