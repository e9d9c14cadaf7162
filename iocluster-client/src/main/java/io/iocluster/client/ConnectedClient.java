package io.iocluster.client;

import io.iocluster.client.spi.ClientTransport;
import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.RequestEncoder;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes HTTP calls through the cluster. Thread-safe; one client per program is enough, because all threads share its
 * connection. The client reconnects after an outage of the broker; calls made meanwhile end at their deadlines at the
 * latest.
 */
public final class IoClusterClient implements AutoCloseable {

    private final ClientConfig config;
    private final String replyTo;
    private final Platform platform;
    private final Executor executor;
    private final ClientEvents events;
    private final EnvelopeClient calls;
    private final RequestEncoder encoder = new RequestEncoder();
    private final AnswerDecoder decoder = new AnswerDecoder();
    private final String idPrefix;
    private final AtomicLong generatedIds = new AtomicLong();

    private IoClusterClient(ClientConfig config, ClientTransport.ClientConnection connection, Platform platform) {
        this.platform = platform;
        this.idPrefix = platform.uniqueId() + ".";
        this.config = config;
        this.replyTo = connection.replyTo();
        this.executor = config.executor() == null ? platform.newThreads("iocluster-client") : config.executor();
        this.events = new GuardedClientEvents(config.events());
        this.calls = new EnvelopeClient(
                connection.requestPublisher(),
                connection.answerConsumer(),
                config.maxOutstanding(),
                config.whenFull(),
                executor,
                events,
                platform);
    }

    /** Connects with the default configuration; see {@link #connect(ClientConfig)}. */
    public static IoClusterClient connect(ClientTransport transport) throws IOException {
        return connect(ClientConfig.forTransport(transport));
    }

    /**
     * Connects. Blocks for a few seconds at most.
     *
     * @throws IOException if the broker is unreachable or a queue does not exist; the message is human-readable
     */
    public static IoClusterClient connect(ClientConfig config) throws IOException {
        return new IoClusterClient(config, config.transport().connect(config.name()), Platform.system());
    }

    /**
     * Makes a call and returns its answer. The call ends at its deadline, even if broker and nodes fail. The deadline
     * is the request's, or the client's timeout, from now. The envelope has a slightly earlier deadline, so that an
     * answer with the outcome {@code expired} still arrives in time.
     *
     * @return completes with the answer, whatever its outcome, or exceptionally with an {@link IoClusterException}, or
     *     an {@link IllegalArgumentException} if a call with the same id is outstanding
     * @throws IllegalArgumentException if the request sets {@code reply} or {@code replyTo}
     */
    public CompletionStage<Answer> call(Request request) {
        if (!request.hasDefaultReply()) {
            throw new IllegalArgumentException("call() does not support reply or replyTo; use enqueue()");
        }
        String id = idOf(request);
        Duration timeout = request.deadline() == null ? config.timeout() : request.deadline();
        return calls.call(id, timeout, left -> request.encode(encoder, id, left.minus(returnTime(left)), replyTo, left))
                .thenCompose(answer -> decode(id, answer));
    }

    /** Returns the time reserved for the answer's way back: a tenth of the timeout, 50 ms at most. */
    private static Duration returnTime(Duration timeout) {
        return Duration.ofMillis(Math.min(50, timeout.toMillis() / 10));
    }

    private CompletionStage<Answer> decode(String id, byte[] answer) {
        try {
            return CompletableFuture.completedFuture(decoder.decode(answer));
        } catch (IllegalArgumentException unreadable) {
            return CompletableFuture.failedFuture(new UnreadableAnswerException(id, unreadable));
        }
    }

    /**
     * Puts a request on the queue; a {@linkplain #listen listener} receives its answer. The request's deadline limits
     * the call, not this method.
     *
     * @return completes with the request's id when the broker has confirmed, or exceptionally with an {@link
     *     IoClusterException}, after the client's timeout at the latest
     */
    public CompletionStage<String> enqueue(Request request) {
        String id = idOf(request);
        OutgoingRequest outgoing = request.encode(
                encoder, id, request.deadline(), config.transport().defaultReplyTo(), null);
        return calls.enqueue(id, config.timeout(), outgoing).thenApply(confirmed -> id);
    }

    private String idOf(Request request) {
        return request.id() == null ? idPrefix + generatedIds.incrementAndGet() : request.id();
    }

    /**
     * Passes answers to enqueued requests to a listener, including requests of other programs and answers that are
     * already on the queue. Delivery is at least once: an answer is acknowledged when the listener's stage completes,
     * and redelivered after a backoff if it fails. Duplicates of the most recently handled answers are skipped.
     *
     * @return the subscription; close it before the client
     */
    public AnswerSubscription listen(ListenerConfig listenerConfig, AnswerListener listener) {
        return AnswerSubscription.start(
                config.transport().newAnswerSource(config.name(), listenerConfig.group()),
                listenerConfig,
                listener,
                executor,
                events,
                platform);
    }

    /** Returns the number of outstanding calls and unconfirmed envelopes. */
    public int outstanding() {
        return calls.outstanding();
    }

    /**
     * Fails all outstanding calls with a {@link ClientClosedException} and disconnects. Blocks for a few seconds at
     * most.
     */
    @Override
    public void close() {
        calls.close();
    }
}
