package io.iocluster.rabbit;

import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Queues that do not exist, by the broker's last answer. For any thread. */
final class MissingQueues {

    private static final long ASKED_AGAIN_NANOS = Duration.ofSeconds(2).toNanos();
    private static final int MOST = 1_000;
    private static final int MOST_ASKED_AT_ONCE = 20;

    /** The time of the broker's last such answer, by the queue's name. */
    private final Map<String, Long> queues = new ConcurrentHashMap<>();

    void add(String queue) {
        if (queues.size() < MOST) {
            queues.put(queue, System.nanoTime());
        }
    }

    boolean contains(String queue) {
        return !queues.isEmpty() && queues.containsKey(queue);
    }

    /**
     * Asks the broker about the queues whose last answer is older than two seconds. Blocks.
     *
     * @throws IOException if it does not answer
     */
    void askAgain(Connection connection) throws IOException {
        int asked = 0;
        for (Iterator<Map.Entry<String, Long>> each = queues.entrySet().iterator();
                each.hasNext() && asked < MOST_ASKED_AT_ONCE; ) {
            Map.Entry<String, Long> entry = each.next();
            if (System.nanoTime() - entry.getValue() < ASKED_AGAIN_NANOS) {
                continue;
            }
            asked++;
            String queue = entry.getKey();
            Asking.Refusal refusal = Asking.ask(connection, channel -> channel.queueDeclarePassive(queue));
            if (refusal != null && refusal.code() == Asking.NOT_FOUND) {
                queues.replace(queue, System.nanoTime());
            } else {
                each.remove();
            }
        }
    }
}
