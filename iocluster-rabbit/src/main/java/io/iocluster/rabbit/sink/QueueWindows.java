package io.iocluster.rabbit.sink;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Holds the {@link QueueWindow}s of one link. Confined to the publisher's loop. */
final class QueueWindows {

    private final int maxLimit;
    private final Map<String, QueueWindow> byQueue = new HashMap<>();
    /** Windows whose waiting messages may be sent. */
    private final ArrayDeque<QueueWindow> sendable = new ArrayDeque<>();

    /** @param maxLimit upper bound for the limit of each window */
    QueueWindows(int maxLimit) {
        this.maxLimit = maxLimit;
    }

    /** Returns the window of a queue; a new one if the queue has none. */
    QueueWindow of(String queue) {
        return byQueue.computeIfAbsent(queue, name -> new QueueWindow(name, maxLimit));
    }

    /** Returns the window of a queue; null if it has none. */
    QueueWindow find(String queue) {
        return byQueue.get(queue);
    }

    /** Returns the first window whose waiting messages may be sent; null if there is none. */
    QueueWindow peekSendable() {
        return sendable.peek();
    }

    boolean hasSendable() {
        return !sendable.isEmpty();
    }

    /** Removes a window from the sendable ones if none of its messages may be sent now. */
    void unscheduleIfDone(QueueWindow window) {
        if (!window.canSendWaiting()) {
            sendable.remove(window);
            window.unschedule();
        }
    }

    /** Adds a window to the sendable ones if its waiting messages may be sent. */
    void schedule(QueueWindow window) {
        if (window.canSendWaiting() && window.schedule()) {
            sendable.add(window);
        }
    }

    boolean hasWaiting() {
        return byQueue.values().stream().anyMatch(QueueWindow::hasWaiting);
    }

    /** Passes the messages that have waited longer than this to the consumer, except those of queues that settle messages. */
    void takeOverdue(long now, long maxNanos, Consumer<PendingPublish> consumer) {
        for (QueueWindow window : byQueue.values()) {
            if (window.hasWaiting()) {
                window.takeOverdue(now, maxNanos).forEach(consumer);
            }
        }
    }

    /** Removes the windows of queues without messages. */
    void removeIdle() {
        byQueue.values().removeIf(QueueWindow::isIdle);
    }

    /** Removes all windows and returns the messages that wait in them. */
    List<PendingPublish> takeAll() {
        List<PendingPublish> all = new ArrayList<>();
        byQueue.values().forEach(window -> all.addAll(window.takeWaiting()));
        byQueue.clear();
        sendable.clear();
        return all;
    }
}
