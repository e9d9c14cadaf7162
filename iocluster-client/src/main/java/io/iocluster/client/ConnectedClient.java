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

/** A client that is connected to a broker. Thread-safe. */
final class ConnectedClient implements IoClusterClient {

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

    private ConnectedClient(ClientConfig config, ClientTransport.ClientConnection connection, Platform platform) {
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

    static ConnectedClient connect(ClientConfig config) throws IOException {
        return new ConnectedClient(config, config.transport().connect(config.name()), Platform.system());
    }

    @Override
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

    @Override
    public CompletionStage<String> enqueue(Request request) {
        String id = idOf(request);
        OutgoingRequest outgoing = request.encode(
                encoder, id, request.deadline(), config.transport().defaultReplyTo(), null);
        return calls.enqueue(id, config.timeout(), outgoing).thenApply(confirmed -> id);
    }

    private String idOf(Request request) {
        return request.id() == null ? idPrefix + generatedIds.incrementAndGet() : request.id();
    }

    @Override
    public AnswerSubscription listen(ListenerConfig listenerConfig, AnswerListener listener) {
        return AnswerSubscription.start(
                config.transport().newAnswerSource(config.name(), listenerConfig.group()),
                listenerConfig,
                listener,
                executor,
                events,
                platform);
    }

    @Override
    public int outstanding() {
        return calls.outstanding();
    }

    @Override
    public void close() {
        calls.close();
    }
}
