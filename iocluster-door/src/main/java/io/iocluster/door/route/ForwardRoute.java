package io.iocluster.door.route;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.CallResult.Answered;
import io.iocluster.door.call.CallResult.Failed;
import io.iocluster.door.call.CallResult.Reason;
import io.iocluster.door.call.DoorCall;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Problem;
import io.iocluster.door.http.ProblemException;
import io.iocluster.door.http.TraceHeaders;
import io.iocluster.door.intake.CallProblems;
import io.iocluster.door.intake.CallStarter;
import io.iocluster.door.traffic.DoorTraffic;
import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.Header;
import io.iocluster.message.Outcome;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.message.SentStatus;
import io.iocluster.transport.TraceContext;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * {@code /v1/forward/{url}} with any method: makes the call of an ordinary request and returns an ordinary response. The headers {@code
 * iocluster-…} say how the call ended.
 */
public final class ForwardRoute implements DoorRoute {

    public static final String PREFIX = "/v1/forward/";

    private static final int FIRST_FINAL_STATUS = 200;
    private static final int LAST_STATUS = 599;
    private static final String DEADLINE_HEADER = "iocluster-deadline-ms";
    private static final String CREDENTIAL_HEADER = "iocluster-auth";
    private static final String AUTHORIZATION_HEADER = "authorization";

    private final CallStarter starter;
    private final DoorTraffic traffic;
    private final AnswerDecoder decoder = new AnswerDecoder();

    /**
     * Creates the route.
     *
     * @param traffic counts answers that are not valid
     */
    public ForwardRoute(CallStarter starter, DoorTraffic traffic) {
        this.starter = starter;
        this.traffic = traffic;
    }

    @Override
    public CompletionStage<HttpResponse> serve(DoorRequest request) {
        ForwardTarget target = target(request);
        long deadlineMs = deadlineMs(request);
        return request.body().thenCompose(body -> {
            TraceContext trace = starter.readTrace(request.headers()::get);
            DoorCall call = starter.call(envelope(request, target, deadlineMs, body), null, request.app(), trace);
            request.allow(call.deadline());
            return starter.start(request.app(), call).thenApply(result -> response(request, target, call.id(), result));
        });
    }

    /** Reads the URL as the caller wrote it. The decoded path of the request would be another URL. */
    private static ForwardTarget target(DoorRequest request) {
        String path = request.context().rawPath();
        String query = request.context().query();
        String whole = query == null || path.indexOf('?') >= 0 ? path : path + "?" + query;
        ForwardTarget target = ForwardTarget.parse(whole.startsWith(PREFIX) ? whole.substring(PREFIX.length()) : "");
        if (target == null) {
            throw new ProblemException(Problem.of(
                    400,
                    "invalid-url",
                    "the path must be " + PREFIX + " and a URL, such as " + PREFIX
                            + "https://partner.example/offers?id=1"));
        }
        return target;
    }

    private static boolean sendsCredentials(DoorRequest request) {
        return request.headers().contains(AUTHORIZATION_HEADER)
                || request.headers().contains(CREDENTIAL_HEADER);
    }

    private static boolean isTls(DoorRequest request) {
        return request.context().sessionProtocol().isTls();
    }

    private static long deadlineMs(DoorRequest request) {
        String given = request.headers().get(DEADLINE_HEADER);
        if (given == null) {
            return 0;
        }
        if (!given.matches("[1-9]\\d{0,11}")) {
            throw new ProblemException(Problem.of(
                    400, "invalid-timeout", DEADLINE_HEADER + " must be a whole number of milliseconds of at least 1"));
        }
        return Long.parseLong(given);
    }

    private static RequestEnvelope envelope(DoorRequest request, ForwardTarget target, long deadlineMs, byte[] body) {
        List<Header> headers = HopByHop.ofRequest(request.headers());
        if (target.anonymous()) {
            headers.removeIf(each -> each.name().equals(AUTHORIZATION_HEADER));
        }
        return new RequestEnvelope(
                null,
                request.http().method().name(),
                target.url(),
                headers,
                body.length == 0 ? null : body,
                0,
                deadlineMs,
                0,
                request.headers().get("idempotency-key"),
                target.anonymous() ? null : request.headers().get(CREDENTIAL_HEADER),
                ReplyMode.ALWAYS,
                null,
                null);
    }

    private HttpResponse response(DoorRequest request, ForwardTarget target, String id, CallResult result) {
        if (!(result instanceof Answered answered)) {
            return CallProblems.of((Failed) result, id).response();
        }
        Answer answer = decode(answered.answer());
        if (answer == null) {
            // The starter counts only calls that ended without an answer.
            Failed invalid = new Failed(
                    Reason.INVALID_ANSWER,
                    "the answer on the queue is not valid; the target may have received the call");
            CallProblems.count(traffic, request.app().name(), invalid);
            return CallProblems.of(invalid, id).response();
        }
        if (answer.outcome() != Outcome.ANSWERED) {
            return withCall(problem(answer), answer, id).response();
        }
        if (answer.truncated()) {
            // An ordinary client would take the truncated body for the whole one.
            Problem problem = Problem.of(
                    502,
                    "response-too-large",
                    "the response is larger than http.max-response-body of the node, or than its answer queue accepts");
            return withCall(problem, answer, id).response();
        }
        if (answer.status() < FIRST_FINAL_STATUS || answer.status() > LAST_STATUS) {
            Problem problem = Problem.of(
                    502, "protocol-error", "the target's status " + answer.status() + " is not that of a response");
            return withCall(problem, answer, id).response();
        }
        ResponseHeadersBuilder headers = ResponseHeaders.builder(answer.status());
        try {
            for (Map.Entry<String, String> header : HopByHop.ofAnswer(answer.headers())) {
                String value =
                        target.rewrite(header.getKey(), header.getValue(), sendsCredentials(request), isTls(request));
                headers.add(header.getKey(), value);
            }
        } catch (IllegalArgumentException invalid) {
            Problem problem = Problem.of(502, "protocol-error", "a header of the response is not valid");
            return withCall(problem, answer, id).response();
        }
        headers.add(CallProblems.ID_HEADER, id)
                .add("iocluster-outcome", answer.outcome().wireName())
                .add("iocluster-attempts", Integer.toString(answer.attempts()));
        TraceHeaders.write(headers, answered.trace());
        boolean bodiless =
                request.http().method() == HttpMethod.HEAD || answer.status() == 204 || answer.status() == 304;
        if (bodiless) {
            return HttpResponse.of(headers.build());
        }
        request.respond(answer.body().length);
        headers.set(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(answer.body().length));
        return HttpResponse.of(headers.build(), HttpData.wrap(answer.body()));
    }

    /** Returns an answer with a status or an error code; null if the bytes are none. */
    private Answer decode(byte[] encoded) {
        try {
            Answer answer = decoder.decode(encoded);
            String code = answer.errorCode();
            boolean valid = answer.outcome() == Outcome.ANSWERED
                    || (code != null && CallResult.ERROR_CODE.matcher(code).matches());
            return valid ? answer : null;
        } catch (IllegalArgumentException invalid) {
            return null;
        }
    }

    /** Returns the problem of an answer without a response. */
    static Problem problem(Answer answer) {
        int status = switch (answer.outcome()) {
            case REJECTED -> CallProblems.rejectedStatus(answer.errorCode());
            case EXPIRED -> 504;
            case FAILED, ANSWERED -> failureStatus(answer.errorCode());
        };
        String detail = answer.error() == null
                ? "the call has no response"
                : answer.error().message();
        Problem problem = Problem.of(status, answer.errorCode(), detail);
        return status == 429 || status == 503 ? problem.withHeader("retry-after", "1") : problem;
    }

    private static int failureStatus(String code) {
        return switch (code) {
            case "app-over-quota" -> 429;
            case "destination-full", "breaker-open", "out-of-memory-budget" -> 503;
            case "timeout", "connect-timeout" -> 504;
            case "internal" -> 500;
            default -> 502;
        };
    }

    private static Problem withCall(Problem problem, Answer answer, String id) {
        SentStatus sent =
                answer.error() == null ? SentStatus.MAYBE : answer.error().sent();
        return problem.withHeader(CallProblems.ID_HEADER, id)
                .withHeader("iocluster-outcome", answer.outcome().wireName())
                .withHeader("iocluster-attempts", Integer.toString(answer.attempts()))
                .withHeader("iocluster-sent", sent.wireName());
    }
}
