package io.iocluster.pipeline.validation;

import io.iocluster.credential.CredentialStore;
import io.iocluster.destination.CallPermit;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.Origin;
import io.iocluster.egress.Rejection;
import io.iocluster.egress.TargetUrl;
import io.iocluster.egress.UrlCheckResult;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpSettings;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.settings.DataSize;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.ReplyToRules;
import io.iocluster.transport.TraceContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Validates an envelope, builds its HTTP request and finds its destination. The order of its checks decides which error code an answer
 * has. Confined to one thread.
 *
 * @param <D> the type of the destinations
 */
public final class RequestValidator<D> {

    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private final Supplier<EgressPolicy> egress;
    private final CredentialStore credentials;
    private final Function<Origin, D> destinations;
    private final Function<D, DestinationPolicy> policies;
    private final DataSize maxRequestBody;
    private final int maxResponseBody;
    private final ReplyToRules replyToRules;

    /**
     * Creates a validator.
     *
     * @param destinations finds the destination of a call
     * @param policies returns the policy of a destination
     */
    public RequestValidator(
            Supplier<EgressPolicy> egress,
            CredentialStore credentials,
            Function<Origin, D> destinations,
            Function<D, DestinationPolicy> policies,
            HttpSettings settings,
            ReplyToRules replyToRules) {
        this.egress = egress;
        this.credentials = credentials;
        this.destinations = destinations;
        this.policies = policies;
        this.maxRequestBody = settings.maxRequestBody();
        this.maxResponseBody = Math.toIntExact(settings.maxResponseBody().bytes());
        this.replyToRules = replyToRules;
    }

    /** Returns why the envelope's reply-to forbids all its calls; empty if it does not. */
    public Optional<Rejection> validateReplyTo(RequestEnvelope envelope, Delivery delivery) {
        String replyTo = envelope.replyTo() != null ? envelope.replyTo() : delivery.replyTo();
        if (replyTo == null) {
            return Optional.empty();
        }
        if (!replyToRules.isReplyToAllowed(delivery, replyTo)) {
            return Optional.of(new Rejection(ErrorCode.REPLY_TO_NOT_ALLOWED, "this node may not answer to " + replyTo));
        }
        return envelope.reply() != ReplyMode.NEVER && replyToRules.isKnownMissing(replyTo)
                ? Optional.of(new Rejection(ErrorCode.REPLY_TO_UNKNOWN, replyTo + " does not exist"))
                : Optional.empty();
    }

    /** Validates the call of an envelope, or one branch. */
    public Validation<D> validate(RequestEnvelope envelope, Delivery delivery) {
        if (envelope.body() != null && envelope.body().length > maxRequestBody.bytes()) {
            return new Rejected<>(new Rejection(
                    ErrorCode.REQUEST_TOO_LARGE,
                    "the body has " + envelope.body().length + " bytes, over the limit of " + maxRequestBody));
        }
        EgressPolicy policy = egress.get();
        List<Header> headers = RequestHeaders.normalise(withIdempotencyKey(envelope));
        Optional<Rejection> refusal = policy.check(envelope.method(), headers);
        if (refusal.isPresent()) {
            return new Rejected<>(refusal.get());
        }
        UrlCheckResult url = policy.checkUrl(envelope.url());
        if (!(url instanceof TargetUrl target)) {
            return new Rejected<>((Rejection) url);
        }
        D destination = destinations.apply(target.origin());
        HttpRequest request =
                request(envelope, withTrace(headers, envelope, delivery), target, policies.apply(destination));
        Optional<Rejection> credentialRefusal = credentials.check(request);
        return credentialRefusal.isPresent()
                ? new Rejected<>(credentialRefusal.get())
                : new Accepted<>(request, destination);
    }

    /** Builds the HTTP request of an envelope whose URL is parsed. Checks nothing else. */
    public static HttpRequest request(
            RequestEnvelope envelope, Delivery delivery, TargetUrl target, DestinationPolicy policy) {
        List<Header> headers = RequestHeaders.normalise(withIdempotencyKey(envelope));
        return request(envelope, withTrace(headers, envelope, delivery), target, policy);
    }

    private static HttpRequest request(
            RequestEnvelope envelope, List<Header> headers, TargetUrl target, DestinationPolicy policy) {
        String credential = envelope.auth() != null ? envelope.auth() : policy.defaultCredential();
        return new HttpRequest(envelope.method(), target, headers, envelope.body(), credential, null, null, null);
    }

    /**
     * Sets how many bytes an attempt needs for its answer. A call that cannot be retried reserves them, because it could not retry the
     * attempt if they were missing. Other calls only keep them free.
     */
    public void requireAnswerBytes(HttpRequest request, CallPermit permit) {
        if (request.isIdempotent()) {
            permit.requireAnswerHeadroom(maxResponseBody);
        } else {
            permit.setResponseReserve(maxResponseBody);
        }
    }

    /** Returns the envelope's headers with its idempotency key at the end, so that the target can use it too. */
    private static List<Header> withIdempotencyKey(RequestEnvelope envelope) {
        if (!needsIdempotencyKey(envelope)) {
            return envelope.headers();
        }
        List<Header> headers = new ArrayList<>(envelope.headers());
        headers.add(new Header(IDEMPOTENCY_KEY, envelope.idempotencyKey()));
        return headers;
    }

    private static boolean needsIdempotencyKey(RequestEnvelope envelope) {
        return envelope.idempotencyKey() != null && !has(envelope.headers(), IDEMPOTENCY_KEY);
    }

    /**
     * Returns the headers with the message's trace context after those of the envelope. No limit of headers counts it, because the caller
     * does not control it.
     */
    private static List<Header> withTrace(List<Header> headers, RequestEnvelope envelope, Delivery delivery) {
        TraceContext trace = delivery.traceContext();
        if (trace == null || has(envelope.headers(), TraceContext.TRACEPARENT)) {
            return headers;
        }
        int ofEnvelope = needsIdempotencyKey(envelope) ? headers.size() - 1 : headers.size();
        List<Header> traced = new ArrayList<>(headers.size() + 2);
        traced.addAll(headers.subList(0, ofEnvelope));
        traced.add(new Header(TraceContext.TRACEPARENT, trace.traceparent()));
        // The message's tracestate belongs to the message's traceparent only, not to one that the envelope names.
        if (trace.tracestate() != null && !has(envelope.headers(), TraceContext.TRACESTATE)) {
            traced.add(new Header(TraceContext.TRACESTATE, trace.tracestate()));
        }
        traced.addAll(headers.subList(ofEnvelope, headers.size()));
        return traced;
    }

    private static boolean has(List<Header> headers, String name) {
        return headers.stream().anyMatch(header -> header.name().equalsIgnoreCase(name));
    }

    public sealed interface Validation<D> {}

    public record Accepted<D>(HttpRequest request, D destination) implements Validation<D> {}

    public record Rejected<D>(Rejection refusal) implements Validation<D> {}
}
