package io.iocluster.node.audit;

import io.iocluster.log.LogThrottle;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/**
 * Writes one line for each operator action to the logger {@value #LOGGER}. Values are JSON, so that no client can add lines or
 * fields. Thread-safe.
 */
public final class AuditLog {

    /** The name of the logger. Its level is always INFO; {@code logging.level} does not change it. */
    public static final String LOGGER = "io.iocluster.audit";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
    private static final int MAX_VALUE_CHARS = 2_000;

    private final LogThrottle denials;

    /** @param nanoTime the monotonic clock, in nanoseconds */
    public AuditLog(LongSupplier nanoTime) {
        this.denials = new LogThrottle(LOG, nanoTime);
    }

    /** Records an action that was carried out, with the values before and after it. */
    public void done(Actor actor, String action, JsonNode before, JsonNode after) {
        LOG.info(
                "Operator action action={} who={} from={} before={} after={} outcome=done",
                action,
                actor.who(),
                actor.from(),
                text(before),
                text(after));
    }

    /** Records an action that the node refused, or that failed. Nothing has changed. */
    public void refused(Actor actor, String action, String reason) {
        LOG.warn(
                "Operator action action={} who={} from={} outcome=refused reason={}",
                action,
                actor.who(),
                actor.from(),
                text(reason));
    }

    /**
     * Records an action that the client may not take. Writes at most one line in ten seconds, because every client that reaches
     * the port can cause it.
     */
    public void denied(Actor actor, String action, String reason) {
        denials.warn(
                "Operator action action={} who={} from={} outcome=denied reason={}",
                text(action),
                actor.who(),
                actor.from(),
                text(reason));
    }

    private static String text(String value) {
        return text(StringNode.valueOf(value));
    }

    private static String text(JsonNode value) {
        String json = value.toString();
        return json.length() <= MAX_VALUE_CHARS ? json : json.substring(0, MAX_VALUE_CHARS) + "…";
    }
}
