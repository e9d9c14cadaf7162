package io.iocluster.pipeline.intake;

import io.iocluster.credential.CredentialStore;
import io.iocluster.destination.CallPermit;
import io.iocluster.destination.Destination;
import io.iocluster.destination.DestinationRegistry;
import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.Rejection;
import io.iocluster.egress.TargetUrl;
import io.iocluster.egress.UrlCheckResult;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpSettings;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.pipeline.call.Call;
import io.iocluster.settings.DataSize;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.TraceContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Validates an envelope, builds its HTTP request and finds its destination. Confined to the source's thread. */
public final class RequestValidator {

    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private final Supplier<EgressPolicy> egress;
    private final CredentialStore credentials;
    private final DestinationRegistry<Call> destinations;
    private final DataSize maxRequestBody;
    private final int maxResponseBody;
    private final ResponseSink sink;

    public RequestValidator(
            Supplier<EgressPolicy> egress,
            CredentialStore credentials,
            DestinationRegistry<Call> destinations,
            HttpSettings settings,
            ResponseSink sink) {
        this.egress = egress;
        this.credentials = credentials;
        this.destinations = destinations;
        this.maxRequestBody = settings.maxRequestBody();
        this.maxResponseBody = Math.toIntExact(settings.maxResponseBody().bytes());
        this.sink = sink;
    }

    /** Returns why the envelope's reply-to forbids all its calls; empty if it does not. */
    Optional<Rejection> validateReplyTo(RequestEnvelope envelope, Delivery delivery) {
        String replyTo = envelope.replyTo() != null ? envelope.replyTo() : delivery.replyTo();
        if (replyTo == null) {
            return Optional.empty();
        }
        if (!sink.isReplyToAllowed(delivery, replyTo)) {
            return Optional.of(new Rejection(ErrorCode.REPLY_TO_NOT_ALLOWED, "this node may not answer to " + replyTo));
        }
        return envelope.reply() != ReplyMode.NEVER && sink.isKnownMissing(replyTo)
                ? Optional.of(new Rejection(ErrorCode.REPLY_TO_UNKNOWN, replyTo + " does not exist"))
                : Optional.empty();
    }

    /** Validates the call of an envelope, or one branch. */
    Validation validate(RequestEnvelope envelope, Delivery delivery) {
        if (envelope.body() != null && envelope.body().length > maxRequestBody.bytes()) {
            return new Rejected(new Rejection(
                    ErrorCode.REQUEST_TOO_LARGE,
                    "the body has " + envelope.body().length + " bytes, over the limit of " + maxRequestBody));
        }
        EgressPolicy policy = egress.get();
        List<Header> headers = withOwnHeaders(envelope, delivery);
        Optional<Rejection> refusal = policy.check(envelope.method(), headers);
        if (refusal.isPresent()) {
            return new Rejected(refusal.get());
        }
        UrlCheckResult url = policy.checkUrl(envelope.url());
        if (!(url instanceof TargetUrl target)) {
            return new Rejected((Rejection) url);
        }
        Destination<Call> destination = destinations.destinationFor(target.origin());
        HttpRequest request =
                new HttpRequest(envelope.method(), target, headers, envelope.body(), credential(envelope, destination));
        Optional<Rejection> credentialRefusal = credentials.check(request);
        return credentialRefusal.isPresent()
                ? new Rejected(credentialRefusal.get())
                : new Accepted(request, destination);
    }

    /**
     * Sets how many bytes an attempt needs for its answer. A call that cannot be retried reserves them, because it could not retry the
     * attempt if they were missing. Other calls only keep them free.
     */
    void makeRoomForAnswer(HttpRequest request, CallPermit permit) {
        if (request.isIdempotent()) {
            permit.keepRoomForAnswer(maxResponseBody);
        } else {
            permit.setResponseReserve(maxResponseBody);
        }
    }

    /** Returns the credential that the envelope names, else its destination's, else null. */
    private static String credential(RequestEnvelope envelope, Destination<Call> destination) {
        return envelope.auth() != null ? envelope.auth() : destination.policy().defaultCredential();
    }

    /** Returns the envelope's headers, the message's trace context, and the idempotency key, so that the target can use it too. */
    private static List<Header> withOwnHeaders(RequestEnvelope envelope, Delivery delivery) {
        String trace = delivery.header(TraceContext.TRACEPARENT);
        String key = envelope.idempotencyKey();
        if (trace == null && key == null) {
            return envelope.headers();
        }
        List<Header> headers = new ArrayList<>(envelope.headers());
        // The message's tracestate belongs to the message's traceparent only, not to one that the envelope names.
        if (addIfAbsent(headers, TraceContext.TRACEPARENT, trace)) {
            addIfAbsent(headers, TraceContext.TRACESTATE, delivery.header(TraceContext.TRACESTATE));
        }
        addIfAbsent(headers, IDEMPOTENCY_KEY, key);
        return headers;
    }

    private static boolean addIfAbsent(List<Header> headers, String name, String value) {
        return value != null
                && headers.stream().noneMatch(header -> header.name().equalsIgnoreCase(name))
                && headers.add(new Header(name, value));
    }

    sealed interface Validation {}

    record Accepted(HttpRequest request, Destination<Call> destination) implements Validation {}

    record Rejected(Rejection refusal) implements Validation {}
}
