package io.iocluster.rabbit.sink;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Detects queues whose publishes stay unconfirmed while other queues of the link confirm. Confined to the publisher's loop. If
 * nothing confirms, the broker itself may be slow, so that no queue is to blame. The exception is a queue with 32 or more unconfirmed
 * messages, because RabbitMQ may then have stopped reading the connection.
 */
final class HoldUpDetector {

    /** Longer than most elections of a leader, because it costs the connection. */
    static final long BLOCKED_NANOS = Duration.ofSeconds(10).toNanos();

    /** Queues that were late at the last detection, with the time of their oldest unconfirmed message. */
    private Map<QueueWindow, Long> suspects = Map.of();

    private String lastConfirmed = "";
    private long lastConfirmedNanos;
    /** The last confirm of any other queue than {@link #lastConfirmed}. */
    private long otherConfirmedNanos;

    /**
     * A queue that blocks others.
     *
     * @param blocksLink whether the broker may have stopped reading the connection, so that only a new one helps
     */
    record HoldUp(QueueWindow window, String reason, boolean blocksLink) {}

    /** Starts with a new channel. */
    void reset(long now) {
        suspects = Map.of();
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
     * Returns the queues that block others now. Call it several times in {@link QueueWindow#LATE_CONFIRM_NANOS}: a queue must be late twice.
     *
     * @param waiting how many messages of the link wait to be sent
     */
    List<HoldUp> detect(UnconfirmedPublishes unconfirmed, int waiting, long now) {
        Map<QueueWindow, Long> late = new LinkedHashMap<>();
        unconfirmed.forEachSentBefore(
                now - QueueWindow.LATE_CONFIRM_NANOS,
                publication -> late.putIfAbsent(publication.window, publication.sentNanos));
        if (late.isEmpty()) {
            suspects = Map.of();
            return List.of();
        }
        List<HoldUp> found = new ArrayList<>();
        Map<QueueWindow, Long> suspected = new HashMap<>();
        late.forEach((window, since) -> {
            long othersConfirmed = window.queue().equals(lastConfirmed) ? otherConfirmedNanos : lastConfirmedNanos;
            if (othersConfirmed - since >= QueueWindow.LATE_CONFIRM_NANOS) {
                suspected.put(window, since);
                if (since.equals(suspects.get(window))) {
                    found.add(new HoldUp(window, "no-confirm", false));
                }
            }
        });
        suspects = suspected;
        if (suspected.isEmpty() && now - lastConfirmedNanos >= BLOCKED_NANOS) {
            late.entrySet().stream()
                    .filter(each -> now - each.getValue() >= BLOCKED_NANOS)
                    .map(Map.Entry::getKey)
                    .filter(window -> window.unconfirmed() >= QueueWindow.BLOCKING)
                    .filter(window -> unconfirmed.size() > window.unconfirmed() || waiting > 0)
                    .findFirst()
                    .ifPresent(window -> found.add(new HoldUp(window, "connection-blocked", true)));
        }
        return found;
    }
}
