package io.iocluster.rabbit.config;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Recognises messages that return from the queues of delayed retries. They arrive on the request queue, and a producer can
 * forge each of their headers. It cannot forge the property {@code user_id}: the broker refuses a message whose
 * {@code user_id} is not the user of the connection that published it. Immutable.
 */
public final class DelayedQueues {

    private static final String DEATHS = "x-death";

    private final Set<String> queues;
    private final String userId;

    public DelayedQueues(RabbitSettings settings) {
        this.queues = Set.copyOf(settings.delayedQueues());
        this.userId = settings.effectiveUserId();
    }

    /** Returns the {@code user_id} of messages that nodes publish to these queues. */
    String userId() {
        return userId;
    }

    /** Returns whether a node published the message to one of these queues and the broker moved it here. */
    public boolean isDelayedRetry(BasicProperties properties) {
        return !queues.isEmpty() && userId.equals(properties.getUserId()) && hasExpiredHere(properties.getHeaders());
    }

    private boolean hasExpiredHere(Map<String, Object> headers) {
        return headers != null
                && headers.get(DEATHS) instanceof List<?> deaths
                && !deaths.isEmpty()
                && deaths.get(0) instanceof Map<?, ?> last
                && "expired".equals(String.valueOf(last.get("reason")))
                && queues.contains(String.valueOf(last.get("queue")));
    }
}
