package io.iocluster.node.logging;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.JsonEscapeUtil;
import io.iocluster.trace.Traced;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.event.KeyValuePair;

/** Writes each event as one JSON object, with the node and, on lines about one call, its trace. Thread-safe. */
final class JsonLineEncoder extends JsonEncoder {

    /** Matches a valid traceparent. Senders choose the value, so lines omit any other one. */
    private static final Pattern TRACEPARENT =
            Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}.*");

    private final String nodeField;

    /** @param nodeId null if the process is not a node */
    JsonLineEncoder(String nodeId) {
        nodeField = nodeId == null ? "" : field("node", JsonEscapeUtil.jsonEscapeString(nodeId));
        setWithSequenceNumber(false);
        setWithNanoseconds(false);
        setWithContext(false);
        setWithMessage(false);
        setWithArguments(false);
        setWithKVPList(false);
        setWithFormattedMessage(true);
    }

    @Override
    protected void appendCustomFields(StringBuilder json, ILoggingEvent event) {
        json.append(nodeField);
        String traceparent = traceparent(event.getKeyValuePairs());
        if (traceparent != null) {
            Matcher parts = TRACEPARENT.matcher(traceparent);
            if (parts.matches()) {
                json.append(field("traceId", parts.group(1))).append(field("spanId", parts.group(2)));
            }
        }
    }

    private static String traceparent(List<KeyValuePair> pairs) {
        if (pairs != null) {
            for (KeyValuePair pair : pairs) {
                if (pair.key.equals(Traced.LOG_KEY) && pair.value instanceof String value) {
                    return value;
                }
            }
        }
        return null;
    }

    private static String field(String name, String escaped) {
        return ",\"" + name + "\":\"" + escaped + '"';
    }
}
