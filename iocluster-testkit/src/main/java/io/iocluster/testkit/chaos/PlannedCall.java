package io.iocluster.testkit.chaos;

import java.util.function.Function;

/**
 * One call of a plan.
 *
 * @param atMillis when it is sent, counted from the plan's start
 * @param post a POST without an idempotency key, which is not retried once it was sent
 * @param deadlineMillis 0 for the node's default
 * @param toReplyPlace whether it names the reply place that {@link Fault.DeleteReplyPlace} deletes
 */
public record PlannedCall(
        String id, int sendAtMillis, CallKind kind, boolean post, int deadlineMillis, boolean usesReplyTo) {

    /**
     * Returns the bytes that a producer sends, as text.
     *
     * @param url gives the address of a target, without a path
     * @param replyPlace a topic or queue
     */
    public String envelope(Function<TargetRole, String> url, String replyPlace) {
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
            json.append(",\"replyTo\":\"").append(replyPlace).append('"');
        }
        if (kind == CallKind.UNKNOWN_FIELD) {
            json.append(",\"chaos\":true");
        }
        return json.append('}').toString();
    }

    private String call(Function<TargetRole, String> url, CallKind each) {
        return (post ? "\"method\":\"POST\"," : "") + "\"url\":\"" + url.apply(each.role()) + each.path(id) + '"';
    }
}
