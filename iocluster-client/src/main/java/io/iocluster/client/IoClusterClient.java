package io.iocluster.client;

import io.iocluster.client.spi.ClientTransport;
import io.iocluster.message.Answer;
import java.io.IOException;
import java.util.concurrent.CompletionStage;

/**
 * Makes HTTP calls through the cluster. Thread-safe; one client per program is enough, because all threads share its
 * connection. The client reconnects after an outage of the broker; calls made meanwhile end at their deadlines at the
 * latest. Tests connect it to a {@link io.iocluster.client.fake.FakeCluster}.
 */
public interface IoClusterClient extends AutoCloseable {

    /** Connects with the default configuration; see {@link #connect(ClientConfig)}. */
    static IoClusterClient connect(ClientTransport transport) throws IOException {
        return connect(ClientConfig.forTransport(transport));
    }

    /**
     * Connects. Blocks for a few seconds at most.
     *
     * @throws IOException if the broker is unreachable or a queue does not exist; the message is human-readable
     */
    static IoClusterClient connect(ClientConfig config) throws IOException {
        return ConnectedClient.connect(config);
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
    CompletionStage<Answer> call(Request request);

    /**
     * Puts a request on the queue; a {@linkplain #listen listener} receives its answer. The request's deadline limits
     * the call, not this method.
     *
     * @return completes with the request's id when the broker has confirmed, or exceptionally with an {@link
     *     IoClusterException}, after the client's timeout at the latest
     */
    CompletionStage<String> enqueue(Request request);

    /**
     * Passes answers to enqueued requests to a listener, including requests of other programs and answers that are
     * already on the queue. Delivery is at least once: an answer is acknowledged when the listener's stage completes,
     * and redelivered after a backoff if it fails. Duplicates of the most recently handled answers are skipped.
     *
     * @return the subscription; close it before the client
     */
    AnswerSubscription listen(ListenerConfig listenerConfig, AnswerListener listener);

    /** Returns the number of outstanding calls and unconfirmed envelopes. */
    int outstanding();

    /**
     * Fails all outstanding calls with a {@link ClientClosedException} and disconnects. Blocks for a few seconds at
     * most.
     */
    @Override
    void close();
}
