package io.iocluster.transport;

import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * A W3C trace context, as the values of its headers.
 *
 * @param traceparent never null
 * @param tracestate null for none
 */
public record TraceContext(String traceparent, String tracestate) {

    /** The header with trace id, span id and sampled flag. */
    public static final String TRACEPARENT = "traceparent";

    /** The header with vendor-specific trace data. */
    public static final String TRACESTATE = "tracestate";

    private static final int TRACEPARENT_CHARS = 55;

    /** Limits the parts that a later version may append. Version 00 has none. */
    private static final int MAX_TRACEPARENT_CHARS = 256;

    /** The length that W3C Trace Context requires everyone to pass on (section 3.3.1.5). */
    private static final int MAX_TRACESTATE_CHARS = 512;

    /** W3C Trace Context, section 3.3.1.1. */
    private static final int MAX_TRACESTATE_MEMBERS = 32;

    /**
     * Version, trace id, parent id and flags. Version ff and ids of zeros are not valid. Only a version after 00 may have further parts.
     */
    private static final Pattern TRACEPARENT_FORMAT = Pattern.compile(
            "(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}((?<!^00.{53})-[!-~]*)?");

    /** A key and a value, section 3.3.1.3, or an empty member. */
    private static final Pattern MEMBER_FORMAT =
            Pattern.compile("[ \\t]*([a-z0-9][a-z0-9_*/@-]{0,255}=[ -+\\--<>-~]{0,255}[!-+\\--<>-~][ \\t]*)?");

    /**
     * Reads a trace context. A {@code tracestate} that is not valid or has more than 512 characters is left out.
     *
     * @param headers returns the value of a header; null if it is missing
     * @return null if there is no {@code traceparent}, or one that is not valid
     */
    public static TraceContext read(UnaryOperator<String> headers) {
        String parent = headers.apply(TRACEPARENT);
        if (parent == null || !isTraceparent(parent)) {
            return null;
        }
        String state = headers.apply(TRACESTATE);
        return new TraceContext(parent, state != null && isTracestate(state) ? state : null);
    }

    /**
     * Returns which header was ignored because it is not valid; null if none was.
     *
     * @param read the trace context that was read from the headers; may be null
     * @param headers returns the value of a header; null if it is missing
     */
    public static IgnoredInput ignored(TraceContext read, UnaryOperator<String> headers) {
        if (read == null) {
            return headers.apply(TRACEPARENT) == null ? null : IgnoredInput.TRACEPARENT;
        }
        return read.tracestate() != null || headers.apply(TRACESTATE) == null ? null : IgnoredInput.TRACESTATE;
    }

    private static boolean isTraceparent(String value) {
        return value.length() >= TRACEPARENT_CHARS
                && value.length() <= MAX_TRACEPARENT_CHARS
                && TRACEPARENT_FORMAT.matcher(value).matches();
    }

    private static boolean isTracestate(String value) {
        if (value.length() > MAX_TRACESTATE_CHARS) {
            return false;
        }
        int members = 0;
        for (String member : value.split(",")) {
            if (!MEMBER_FORMAT.matcher(member).matches()) {
                return false;
            }
            members += member.isBlank() ? 0 : 1;
        }
        return members > 0 && members <= MAX_TRACESTATE_MEMBERS;
    }
}
