package io.iocluster.client;

import io.iocluster.client.spi.ClientTransport;
import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.RequestEncoder;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The cluster, to a program that has HTTP calls made by it. One for a program is enough: it is safe for use by several threads, and
 * all of them share its connection. Outages of the broker are waited out; what is called meanwhile ends at its deadline at the
 * latest.
 */
public final class IoClusterClient implements AutoCloseable {

    private static final AtomicLong THREADS = new AtomicLong();

    private final ClientConfig config;
    private final String replyTo;
    private final ExecutorService ownThreads;
    private final Executor executor;
    private final ClientEvents events;
    private final EnvelopeClient calls;
    private final RequestEncoder encoder = new RequestEncoder();
    private final AnswerDecoder decoder = new AnswerDecoder();
    private final String origin = UUID.randomUUID() + ".";
    private final AtomicLong made = new AtomicLong();

    private IoClusterClient(ClientConfig config, ClientTransport.ClientConnection connection) {
        this.config = config;
        this.replyTo = connection.replyTo();
        this.ownThreads = config.executor() == null ? Executors.newCachedThreadPool(IoClusterClient::thread) : null;
        this.executor = config.executor() == null ? ownThreads : config.executor();
        this.events = new GuardedClientEvents(config.events());
        this.calls = new EnvelopeClient(
                connection.requestPublisher(),
                connection.answerConsumer(),
                config.maxOutstanding(),
                config.whenFull(),
                executor,
                events);
    }

    private static Thread thread(Runnable task) {
        Thread made = new Thread(task, "iocluster-client-" + THREADS.incrementAndGet());
        made.setDaemon(true);
        return made;
    }

    /** {@link #connect(ClientConfig)} with the defaults. */
    public static IoClusterClient connect(ClientTransport transport) throws IOException {
        return connect(ClientConfig.forTransport(transport));
    }

    /**
     * Connects. Blocks for some seconds at most.
     *
     * @throws IOException if the broker is away or a queue does not exist; the message is for people
     */
    public static IoClusterClient connect(ClientConfig config) throws IOException {
        return new IoClusterClient(config, config.transport().connect(config.name()));
    }

    /**
     * Has a call made and brings its answer. The call ends by its deadline, whatever becomes of broker and nodes: the request's own,
     * or the client's timeout, counted from now. Nodes are told to be done a little earlier, so that what they know of a late
     * call still arrives: an answer with the outcome {@code expired}.
     *
     * @return completes with the answer, whatever its outcome, or exceptionally with an {@link IoClusterException}, or with an
     *     {@link IllegalArgumentException} where a call with the same id is outstanding
     * @throws IllegalArgumentException if the request does not want to be answered here
     */
    public CompletionStage<Answer> call(Request request) {
        if (!request.hasDefaultReply()) {
            throw new IllegalArgumentException("a call is always answered here; enqueue what sets reply or replyTo");
        }
        String id = idOf(request);
        Duration within = request.deadline() == null ? config.timeout() : request.deadline();
        return calls.call(id, within, left -> request.encode(encoder, id, left.minus(wayBack(left)), replyTo, left))
                .thenCompose(answer -> decoded(id, answer));
    }

    /** What is left of a call's time for its answer to travel: a tenth, and 50 ms at most. */
    private static Duration wayBack(Duration within) {
        return Duration.ofMillis(Math.min(50, within.toMillis() / 10));
    }

    private CompletionStage<Answer> decoded(String id, byte[] answer) {
        try {
            return CompletableFuture.completedFuture(decoder.decode(answer));
        } catch (IllegalArgumentException unreadable) {
            return CompletableFuture.failedFuture(new UnreadableAnswerException(id, unreadable));
        }
    }

    /**
     * Puts a request on the queue for whoever {@linkplain #listen listens}. Its deadline, if it has one, bounds the call and not
     * this.
     *
     * @return completes with the request's id when the broker holds it, or exceptionally with an {@link IoClusterException}, after
     *     the client's timeout at the latest
     */
    public CompletionStage<String> enqueue(Request request) {
        String id = idOf(request);
        OutgoingRequest outgoing = request.encode(
                encoder, id, request.deadline(), config.transport().defaultReplyTo(), null);
        return calls.enqueue(id, config.timeout(), outgoing).thenApply(confirmed -> id);
    }

    private String idOf(Request request) {
        return request.id() == null ? origin + made.incrementAndGet() : request.id();
    }

    /**
     * Hands over the answers to what was enqueued, by this program or by others, also those that stand there already. At least
     * once: an answer is off the queue when the stage that the listener returned has completed; where that fails, it is handed over
     * again after a wait. Repeats among the last answers handled are left out.
     *
     * @return to be closed before the client
     */
    public AnswerSubscription listen(ListenerConfig listening, AnswerListener listener) {
        return AnswerSubscription.start(
                config.transport().newAnswerSource(config.name(), listening.group()),
                listening,
                listener,
                executor,
                events);
    }

    /** How many calls have no answer and how many envelopes no confirmation. */
    public int outstanding() {
        return calls.outstanding();
    }

    /** Ends what is outstanding with a {@link ClientClosedException}, and disconnects. Blocks for some seconds at most. */
    @Override
    public void close() {
        calls.close();
        if (ownThreads != null) {
            ownThreads.shutdown();
        }
    }
}
