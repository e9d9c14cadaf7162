package io.iocluster.testkit.chaos;

import java.util.function.Function;

/**
 * One call of a plan. Immutable.
 *
 * @param sendAtMillis when it is sent, from the plan's start
 * @param post whether it is a POST without an idempotency key, which is not retried after it was sent
 * @param deadlineMillis 0 for the node's default
 * @param usesReplyTo whether it names the topic or queue that {@link Fault.DeleteReplyTo} deletes
 */
public record PlannedCall(
        String id, int sendAtMillis, CallKind kind, boolean post, int deadlineMillis, boolean usesReplyTo) {

    /**
     * Returns the message that a producer sends, as text.
     *
     * @param url returns the URL of a target, without a path
     * @param replyTo a topic or queue
     */
    public String envelope(Function<TargetRole, String> url, String replyTo) {
        if (kind == CallKind.MALFORMED) {
            return "not JSON " + id;
        }
        StringBuilder json = new StringBuilder("{\"id\":\"").append(id).append('"');
        switch (kind) {
            case ANY, ALL ->
                json.append(kind == CallKind.ANY ? ",\"any\":[{" : ",\"all\":[{")
                        .append(call(url, CallKind.OK))
                        .append("},{")
                        .append(call(url, CallKind.SLOW))
                        .append("}]");
            default -> json.append(',').append(call(url, kind));
        }
        if (deadlineMillis > 0) {
            json.append(",\"deadlineMs\":").append(deadlineMillis);
        }
        if (usesReplyTo) {
            json.append(",\"replyTo\":\"").append(replyTo).append('"');
        }
        if (kind == CallKind.UNKNOWN_FIELD) {
            json.append(",\"chaos\":true");
        }
        return json.append('}').toString();
    }

    /**
     * Returns whether an attempt may send its request twice. If the target closes a pooled connection without a response, a node sends
     * an idempotent request once more on a new connection.
     */
    public boolean mayBeResent() {
        return kind == CallKind.RESET && !post;
    }

    private String call(Function<TargetRole, String> url, CallKind callKind) {
        return (post ? "\"method\":\"POST\"," : "") + "\"url\":\"" + url.apply(callKind.role()) + callKind.path(id)
                + '"';
    }
}
