package io.iocluster.simulation.oracle;

import io.iocluster.message.Answer;
import io.iocluster.simulation.broker.Published;
import io.iocluster.simulation.cluster.PlannedCall;
import io.iocluster.simulation.network.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What apps, targets and the broker saw of one call. Owned by the oracle. */
final class CallHistory {

    private final PlannedCall planned;
    private final List<Attempt> attempts = new ArrayList<>();
    private final List<PublishedAnswer> answers = new ArrayList<>();
    private final List<Published> deadLetters = new ArrayList<>();
    private final Map<String, Integer> deliveries = new TreeMap<>();
    private final Map<String, Integer> stored = new TreeMap<>();
    private final Map<String, Integer> acknowledged = new TreeMap<>();
    private long firstDeliveryMillis = -1;
    private long lastDueMillis = -1;
    private int delayedCopies;
    private int lostConfirms;
    private boolean redelivered;
    private boolean deliveredTooOften;

    /** An answer, decoded, and its message. */
    record PublishedAnswer(Answer answer, Published message) {}

    CallHistory(PlannedCall planned) {
        this.planned = planned;
    }

    PlannedCall planned() {
        return planned;
    }

    void delivered(String node, long millis) {
        deliveries.merge(node, 1, Integer::sum);
        if (firstDeliveryMillis < 0) {
            firstDeliveryMillis = millis;
        }
    }

    void redelivered() {
        redelivered = true;
    }

    void acknowledged(String node) {
        acknowledged.merge(node, 1, Integer::sum);
    }

    void confirmLost() {
        lostConfirms++;
    }

    void deliveredTooOften() {
        deliveredTooOften = true;
    }

    /** Returns whether the broker has moved a message of the call to the dead letters. */
    boolean wasDeliveredTooOften() {
        return deliveredTooOften;
    }

    void answered(Answer answer, Published message) {
        stored.merge(message.node(), 1, Integer::sum);
        answers.add(new PublishedAnswer(answer, message));
    }

    void deadLetter(Published message) {
        stored.merge(message.node(), 1, Integer::sum);
        deadLetters.add(message);
    }

    /** The broker has lost an answer or a dead letter with this payload, the same object. */
    void lost(byte[] payload) {
        answers.removeIf(each -> each.message().payload() == payload);
        deadLetters.removeIf(each -> each.payload() == payload);
    }

    void delayed(Published message, long dueMillis) {
        stored.merge(message.node(), 1, Integer::sum);
        delayedCopies++;
        lastDueMillis = dueMillis;
    }

    void attempted(Attempt attempt) {
        attempts.add(attempt);
    }

    List<Attempt> attempts() {
        return attempts;
    }

    List<Attempt> attemptsOf(String node) {
        return attempts.stream().filter(attempt -> attempt.node().equals(node)).toList();
    }

    List<PublishedAnswer> answers() {
        return answers;
    }

    List<Published> deadLetters() {
        return deadLetters;
    }

    /** Returns how often a message of this call was delivered to any node. */
    int deliveries() {
        return deliveries.values().stream().mapToInt(Integer::intValue).sum();
    }

    int deliveriesTo(String node) {
        return deliveries.getOrDefault(node, 0);
    }

    /** Returns how many messages this process published for the call. */
    int storedBy(String node) {
        return stored.getOrDefault(node, 0);
    }

    int acknowledgedBy(String node) {
        return acknowledged.getOrDefault(node, 0);
    }

    int delayedCopies() {
        return delayedCopies;
    }

    int lostConfirms() {
        return lostConfirms;
    }

    long firstDeliveryMillis() {
        return firstDeliveryMillis;
    }

    /** Returns when the last delayed retry was due, on the clock of the node; negative if there is none. */
    long lastDueMillis() {
        return lastDueMillis;
    }

    /** Returns whether each message was delivered once, so that nothing of the call happened twice. */
    boolean happenedOnce() {
        return !redelivered && deliveries() == 1 + delayedCopies && lostConfirms == 0;
    }

    /** Returns how long the call took. Without an answer it took until now. */
    CallTimes times(long nowMillis) {
        long end = answers.isEmpty() ? nowMillis : answers.get(0).message().millis();
        long nanos = attempts.stream()
                .mapToLong(attempt -> attempt.endNanos() - attempt.startNanos())
                .sum();
        return new CallTimes(end - planned.atMillis(), nanos / 1_000_000);
    }

    /** Returns the latest time of an attempt; unlimited if the envelope has no deadline. */
    long deadlineMillis() {
        return planned.deadlineMs() == 0 ? Long.MAX_VALUE / 2 : planned.atMillis() + planned.deadlineMs();
    }
}
