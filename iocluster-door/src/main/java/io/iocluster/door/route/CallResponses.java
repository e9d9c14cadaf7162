package io.iocluster.door.route;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.CallResult.Answered;
import io.iocluster.door.call.CallResult.Failed;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Problem;
import io.iocluster.door.http.TraceHeaders;
import io.iocluster.message.ErrorCode;

/** Converts the results of calls to responses. Stateless. */
final class CallResponses {

    /** The header that contains the id of a call. */
    static final String ID_HEADER = "iocluster-id";

    private CallResponses() {}

    /** Returns the answer envelope, or a problem if there is none. */
    static HttpResponse of(DoorRequest request, String id, CallResult result) {
        if (!(result instanceof Answered answered)) {
            return problem((Failed) result)
                    .withHeader(ID_HEADER, headerValue(id))
                    .response();
        }
        ResponseHeadersBuilder headers =
                ResponseHeaders.builder(200).contentType(MediaType.JSON).add(HttpHeaderNames.CACHE_CONTROL, "no-store");
        TraceHeaders.write(headers, answered.trace());
        headers.contentLength(answered.answer().length);
        request.respond(answered.answer().length);
        return HttpResponse.of(headers.build(), HttpData.wrap(answered.answer()));
    }

    /** Returns the problem of a call without an answer. */
    static Problem problem(Failed failed) {
        return switch (failed.reason()) {
            case FULL -> Problem.retryable(429, "door-full", failed.message());
            case EXPIRED -> Problem.of(504, ErrorCode.DEADLINE_EXCEEDED.wireName(), failed.message());
            case UNAVAILABLE -> Problem.retryable(503, "unavailable", failed.message());
            case DEAD_LETTER -> Problem.of(502, "dead-letter", failed.message());
        };
    }

    /** Returns the text as a header value: characters that a header cannot contain become {@code ?}. */
    static String headerValue(String text) {
        StringBuilder value = new StringBuilder(text);
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) <= ' ' || value.charAt(i) > '~') {
                value.setCharAt(i, '?');
            }
        }
        return value.toString();
    }
}
