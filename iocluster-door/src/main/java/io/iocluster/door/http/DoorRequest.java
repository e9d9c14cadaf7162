package io.iocluster.door.http;

import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.common.util.TimeoutMode;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.iocluster.door.access.AnswerBudget;
import io.iocluster.door.access.App;
import io.iocluster.door.access.BodyBudget;
import io.iocluster.producer.AppName;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A request to the door.
 *
 * @param app the caller; null for routes that everyone may use
 * @param bodies holds the bytes of the body until the response has ended
 * @param answers holds the bytes of the response until the caller has read them
 */
public record DoorRequest(
        ServiceRequestContext context, HttpRequest http, App app, BodyBudget bodies, AnswerBudget answers) {

    /** Time for the caller to read the response after the call has ended. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    public RequestHeaders headers() {
        return http.headers();
    }

    /**
     * Reads the whole body.
     *
     * @return completes with the bytes, or exceptionally with a {@link ProblemException}
     */
    public CompletionStage<byte[]> body() {
        BodyReader reader = new BodyReader(bodies, appName());
        http.subscribe(reader, context.eventLoop());
        context.log()
                .whenComplete()
                .thenRunAsync(() -> bodies.release(appName(), reader.reserved()), context.eventLoop());
        return reader.whole().handle((whole, failure) -> {
            if (failure == null) {
                return whole;
            }
            throw new ProblemException(unreadable(context, failure));
        });
    }

    /** Counts a response that is sent now. The caller has to read it within {@code door.limits.read-timeout}. */
    public void respond(long bytes) {
        context.clearRequestTimeout();
        UnreadResponse.start(this).add(bytes);
    }

    /** Returns the name of the app; {@code unknown} for routes that everyone may use. */
    public String appName() {
        return app == null ? AppName.UNKNOWN : app.name();
    }

    /** Returns the problem of a request body of this app that does not fit into {@code door.limits.max-bodies} now. */
    public static Problem bodiesFull(String app) {
        return Problem.retryable(
                429,
                "door-full",
                "the request bodies of all apps fill door.limits.max-bodies, or those of the app " + app
                        + " fill its share of it; raise the limit, or try again later");
    }

    /** Returns the problem of a request while too many are open. */
    public static Problem tooMany() {
        return Problem.retryable(
                        429,
                        "door-full",
                        "too many requests are open; raise door.limits.max-requests, or try again later")
                .withHeader("connection", "close");
    }

    /** Returns the problem of a body that could not be read. */
    public static Problem unreadable(ServiceRequestContext context, Throwable failure) {
        Throwable cause = Exceptions.peel(failure);
        if (cause instanceof ProblemException refused) {
            return refused.problem();
        }
        if (cause instanceof ContentTooLargeException) {
            return tooLarge(context.maxRequestLength());
        }
        if (cause instanceof RequestTimeoutException) {
            return timeout();
        }
        return Problem.of(400, "invalid-request", "the body cannot be read");
    }

    /** Returns the problem of a body with more bytes than this limit. */
    public static Problem tooLarge(long limit) {
        return Problem.of(413, "request-too-large", "the body has more than " + limit + " bytes");
    }

    /** Returns the problem of a request that did not arrive in time. */
    public static Problem timeout() {
        return Problem.of(408, "request-timeout", "the request did not arrive within door.limits.body-timeout")
                .withHeader("connection", "close");
    }

    /**
     * Checks the content type.
     *
     * @throws ProblemException if it is another one
     */
    public void requireContentType(String type) {
        MediaType given = http.contentType();
        if (given == null || !given.nameWithoutParameters().equals(type)) {
            throw new ProblemException(
                    Problem.of(415, "unsupported-media-type", "the body needs Content-Type: " + type));
        }
    }

    /** Sets the timeout of the response to this time from now, and five seconds more for the caller to read it. */
    public void allow(Duration time) {
        context.setRequestTimeout(TimeoutMode.SET_FROM_NOW, time.plus(GRACE));
    }
}
