package io.iocluster.door.call;

import io.iocluster.client.CallTimeoutException;
import io.iocluster.client.CallTimeoutException.CallStage;
import io.iocluster.client.ClientEvents;
import io.iocluster.client.ClientFullException;
import io.iocluster.client.ClientFullPolicy;
import io.iocluster.client.EnvelopeClient;
import io.iocluster.client.spi.ClientTransport;
import io.iocluster.client.spi.ClientTransport.ClientConnection;
import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.door.call.CallResult.Failed;
import io.iocluster.door.call.CallResult.Reason;
import io.iocluster.log.LogThrottle;
import io.iocluster.message.DecodedRequest.Valid;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.RequestDecoder;
import io.iocluster.message.RequestEncoder;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.settings.DurationText;
import io.iocluster.thread.Platform;
import io.iocluster.thread.StageFailure;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.TraceContext;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts calls on a queue and waits for the answers of nodes. On the queue, each call has another, secret id, because several doors may
 * read the same answers, and callers choose their ids. Thread-safe.
 */
public final class QueueCalls implements Calls, Forwarder {

    private static final Logger LOG = LoggerFactory.getLogger(QueueCalls.class);

    /** A node accepts ids of 1,024 characters. Longer ids of callers are not repeated on the queue. */
    private static final int MAX_REPEATED_ID = 512;

    private static final String CALLER_GETS_503 = "its caller gets 503";

    private final Platform platform;
    private final EnvelopeClient client;
    private final String replyTo;
    private final String appHeader;
    private final RequestEncoder encoder = new RequestEncoder();
    private final LogThrottle failures;
    /** Reads envelopes that the door has checked. Without limits, because those of the door may have been lowered since then. */
    private final RequestDecoder decoder = new RequestDecoder(Integer.MAX_VALUE, Integer.MAX_VALUE);

    private QueueCalls(ClientConnection connection, String appHeader, int maxOpen, Platform platform) {
        this.platform = platform;
        this.failures = new LogThrottle(LOG, platform::nanos);
        this.replyTo = connection.replyTo();
        this.appHeader = appHeader;
        this.client = new EnvelopeClient(
                connection.requestPublisher(),
                connection.answerConsumer(),
                maxOpen,
                ClientFullPolicy.FAIL,
                Runnable::run,
                ClientEvents.NONE,
                platform);
    }

    /**
     * Connects to the broker. Blocks for at most a few seconds.
     *
     * @param name the door's name at the broker
     * @param appHeader the header in which nodes expect the name of the app; empty for none
     * @param maxOpen maximum number of open calls
     * @throws IOException if the broker is unreachable or a queue does not exist; the message is human-readable
     */
    public static QueueCalls connect(
            ClientTransport transport, String name, String appHeader, int maxOpen, Platform platform)
            throws IOException {
        return new QueueCalls(transport.connect(name), appHeader, maxOpen, platform);
    }

    @Override
    public CompletionStage<CallResult> call(DoorCall call) {
        String queueId = queueId(call.id(), platform.uniqueId());
        return client.call(queueId, call.deadline(), left -> outgoing(call, queueId, null, left))
                .handle((answer, failure) -> failure == null
                        ? answered(call.id(), call.trace(), queueId, answer)
                        : failed(StageFailure.unwrap(failure), call.app(), call.deadline(), CALLER_GETS_503));
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public Forwarding forward(StoredCall stored) {
        Duration left = left(stored);
        if (left.isNegative() || left.isZero()) {
            return new Forwarding(
                    CompletableFuture.completedFuture(Publication.ENDED),
                    CompletableFuture.completedFuture(
                            new Failed(Reason.EXPIRED, "the deadline passed before the call was forwarded")));
        }
        if (!(decoder.decode(stored.envelope()) instanceof Valid valid)) {
            throw new IllegalArgumentException("the stored envelope is not valid");
        }
        DoorCall call = new DoorCall(stored.id(), valid.envelope(), null, left, stored.app(), stored.trace());
        CompletableFuture<Publication> published = new CompletableFuture<>();
        // The open call must not hold the envelope, because many calls may wait for their answers.
        String app = stored.app();
        String id = stored.id();
        String queueId = stored.queueId();
        TraceContext trace = stored.trace();
        CompletionStage<CallResult> result = client.call(
                        queueId,
                        left,
                        rest -> outgoing(call, queueId, queueId, rest),
                        confirmation -> published.complete(publication(confirmation)))
                .handle((answer, failure) -> {
                    published.complete(failure == null ? Publication.CONFIRMED : publication(failure));
                    if (failure == null) {
                        return answered(id, trace, queueId, answer);
                    }
                    boolean again = published.join() == Publication.NOT_CONFIRMED;
                    return failed(
                            StageFailure.unwrap(failure), app, left, again ? "it is forwarded again" : CALLER_GETS_503);
                });
        return new Forwarding(published, result);
    }

    /** Returns the rest of the deadline: at most the whole, even if the clock was set back since then. */
    private Duration left(StoredCall stored) {
        long since = Math.max(0, platform.wallMillis() - stored.acceptedMillis());
        return Duration.ofMillis(stored.expiresMillis() - stored.acceptedMillis() - since);
    }

    private static Publication publication(PublishResult result) {
        if (result instanceof PublishResult.Confirmed) {
            return Publication.CONFIRMED;
        }
        return result instanceof PublishResult.TooLarge ? Publication.ENDED : Publication.NOT_CONFIRMED;
    }

    /** Returns the state of a call that failed before the broker confirmed it. */
    private static Publication publication(Throwable failure) {
        return StageFailure.unwrap(failure) instanceof CallTimeoutException
                ? Publication.ENDED
                : Publication.NOT_CONFIRMED;
    }

    /**
     * Returns an id that cannot be guessed. It starts with the caller's, so that operators find the call in the logs of nodes.
     *
     * @param unique {@link Platform#uniqueId}
     */
    public static String queueId(String callerId, UUID unique) {
        String secret = unique.toString();
        return callerId.length() > MAX_REPEATED_ID ? secret : callerId + "~" + secret;
    }

    private static CallResult answered(String id, TraceContext trace, String queueId, byte[] answer) {
        try {
            return CallResult.of(QueueAnswer.forCaller(answer, queueId, id), trace);
        } catch (RuntimeException unreadable) {
            return new Failed(
                    Reason.INVALID_ANSWER,
                    "the answer on the queue is not JSON; the target may have received the call");
        }
    }

    /**
     * Returns the request of a call.
     *
     * @param key null for none. A stored call has one, so that it has the same partition when it is forwarded again, and keeps its order
     *     there
     */
    private OutgoingRequest outgoing(DoorCall call, String queueId, String key, Duration left) {
        Map<String, String> headers = new HashMap<>();
        if (!appHeader.isEmpty()) {
            headers.put(appHeader, call.app());
        }
        TraceContext trace = call.trace();
        if (trace != null) {
            headers.put(TraceContext.TRACEPARENT, trace.traceparent());
            if (trace.tracestate() != null) {
                headers.put(TraceContext.TRACESTATE, trace.tracestate());
            }
        }
        Duration deadline = left.minus(returnTime(left));
        return new OutgoingRequest(encoder.encode(envelope(call, queueId, deadline)), key, headers, left);
    }

    /** Returns the time reserved for the return of the answer: a tenth of the time, at most 50 ms. */
    private static Duration returnTime(Duration left) {
        return Duration.ofMillis(Math.min(50, left.toMillis() / 10));
    }

    private RequestEnvelope envelope(DoorCall call, String queueId, Duration deadline) {
        RequestEnvelope given = call.envelope();
        return new RequestEnvelope(
                queueId,
                given.method(),
                given.url(),
                given.headers(),
                given.body(),
                given.timeoutMs(),
                Math.max(1, deadline.toMillis()),
                given.maxAttempts(),
                given.idempotencyKey(),
                given.auth(),
                given.usable(),
                ReplyMode.ALWAYS,
                replyTo,
                given.context(),
                given.scatter());
    }

    /**
     * Returns a result whose message names no broker, because callers get it.
     *
     * @param consequence what follows, for the log
     */
    private CallResult failed(Throwable failure, String app, Duration deadline, String consequence) {
        if (failure instanceof ClientFullException) {
            return new Failed(Reason.FULL, "too many calls wait for the queue; try again later");
        }
        if (failure instanceof CallTimeoutException timeout) {
            return new Failed(
                    Reason.EXPIRED,
                    "no answer within " + DurationText.format(deadline) + ": " + description(timeout.stage()));
        }
        failures.warn("Call not put on the queue; {} app={} error=\"{}\"", consequence, app, failure.getMessage());
        return new Failed(
                Reason.UNAVAILABLE,
                "the queue did not accept the call; if it did, the target may have received the call");
    }

    private static String description(CallStage stage) {
        return switch (stage) {
            case NOT_SENT -> "the call was not put on the queue";
            case UNCONFIRMED -> "the queue has not confirmed the call; the target may have received it";
            case ENQUEUED -> "the call was put on the queue; the target may have received it";
        };
    }

    /** Returns null, because the client reconnects and calls wait until then. */
    @Override
    public String problem() {
        return null;
    }

    @Override
    public void close(Duration timeout) {
        client.close();
    }
}
