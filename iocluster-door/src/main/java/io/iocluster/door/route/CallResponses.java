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
import io.iocluster.door.http.TraceHeaders;
import io.iocluster.door.intake.CallProblems;

/** Converts the results of calls to responses. Stateless. */
final class CallResponses {

    private CallResponses() {}

    /** Returns the answer envelope, or a problem if there is none. */
    static HttpResponse of(DoorRequest request, String id, CallResult result) {
        if (!(result instanceof Answered answered)) {
            return CallProblems.of((Failed) result, id).response();
        }
        ResponseHeadersBuilder headers =
                ResponseHeaders.builder(200).contentType(MediaType.JSON).add(HttpHeaderNames.CACHE_CONTROL, "no-store");
        TraceHeaders.write(headers, answered.trace());
        headers.contentLength(answered.answer().length);
        request.respond(answered.answer().length);
        return HttpResponse.of(headers.build(), HttpData.wrap(answered.answer()));
    }
}
