package io.iocluster.rabbit.sink;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides which queues to isolate: those whose publishes stay unconfirmed while other queues of the link confirm. If nothing confirms,
 * the broker itself may be slow, and no queue is isolated. The exception is a queue with 32 or more unconfirmed messages, because
 * RabbitMQ may then have stopped reading the connection. Confined to the publisher's loop.
 */
final class IsolationPolicy {

    /** Longer than most elections of a leader, because it costs the connection. */
    static final long BLOCKED_NANOS = Duration.ofSeconds(10).toNanos();

    /** Queues that blocked others at the last check, with the time of their oldest unconfirmed message. */
    private Map<QueueWindow, Long> blockedBefore = Map.of();

    private String lastConfirmed = "";
    private long lastConfirmedNanos;
    /** The last confirm of any other queue than {@link #lastConfirmed}. */
    private long otherConfirmedNanos;

    /**
     * A queue to isolate, because it blocks others.
     *
     * @param reason for the log
     * @param blocksConnection whether the broker may have stopped reading the connection, so that only a new one helps
     */
    record QueueToIsolate(QueueWindow window, String reason, boolean blocksConnection) {}

    /** Starts with a new channel. */
    void reset(long now) {
        blockedBefore = Map.of();
        lastConfirmed = "";
        lastConfirmedNanos = now;
        otherConfirmedNanos = now;
    }

    /** Records a confirm. */
    void confirmed(QueueWindow window, long now) {
        if (!window.queue().equals(lastConfirmed)) {
            otherConfirmedNanos = lastConfirmedNanos;
            lastConfirmed = window.queue();
        }
        lastConfirmedNanos = now;
    }

    /**
     * Returns the queues to isolate now. Call it several times within {@link QueueWindow#LATE_CONFIRM_NANOS}, because a
     * queue must be late twice.
     *
     * @param waiting how many messages of the link wait to be sent
     */
    List<QueueToIsolate> queuesToIsolate(UnconfirmedPublishes unconfirmed, int waiting, long now) {
        Map<QueueWindow, Long> late = new LinkedHashMap<>();
        unconfirmed.forEachSentBefore(
                now - QueueWindow.LATE_CONFIRM_NANOS,
                publication -> late.putIfAbsent(publication.window, publication.sentNanos));
        if (late.isEmpty()) {
            blockedBefore = Map.of();
            return List.of();
        }
        List<QueueToIsolate> found = new ArrayList<>();
        Map<QueueWindow, Long> blocking = new HashMap<>();
        late.forEach((window, since) -> {
            long othersConfirmed = window.queue().equals(lastConfirmed) ? otherConfirmedNanos : lastConfirmedNanos;
            if (othersConfirmed - since >= QueueWindow.LATE_CONFIRM_NANOS) {
                blocking.put(window, since);
                if (since.equals(blockedBefore.get(window))) {
                    found.add(new QueueToIsolate(window, "no-confirm", false));
                }
            }
        });
        blockedBefore = blocking;
        if (blocking.isEmpty() && now - lastConfirmedNanos >= BLOCKED_NANOS) {
            late.entrySet().stream()
                    .filter(each -> now - each.getValue() >= BLOCKED_NANOS)
                    .map(Map.Entry::getKey)
                    .filter(window -> window.unconfirmed() >= QueueWindow.BLOCKING)
                    .filter(window -> unconfirmed.size() > window.unconfirmed() || waiting > 0)
                    .findFirst()
                    .ifPresent(window -> found.add(new QueueToIsolate(window, "connection-blocked", true)));
        }
        return found;
    }
}
