package io.iocluster.rabbit.client;

import io.iocluster.client.spi.ClientTransport;
import io.iocluster.rabbit.client.AnswerQueue.ReplyQueue;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.config.RabbitSettings.AnswerRoutingSettings;
import io.iocluster.rabbit.config.RabbitSettings.RequestQueueSettings;
import io.iocluster.rabbit.config.RabbitTlsSettings;
import io.iocluster.rabbit.connection.Connector;
import io.iocluster.rabbit.connection.ResourceAlarm;
import io.iocluster.rabbit.connection.Topology;
import io.iocluster.rabbit.source.RabbitSource;
import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.DataSize;
import io.iocluster.transport.RequestSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * RabbitMQ, as a client of the cluster uses it: one connection, on which requests are published and the answers come in by a queue of
 * the client's own. Nodes must allow that queue in {@code rabbit.answers.reply-to}, for example by {@code iocluster.replies.*}.
 * Immutable.
 */
public final class RabbitClientTransport implements ClientTransport {

    private static final String REPLIES = "iocluster.replies.";
    /** Longer than any call may take, so that no answer finds the queue of a client that has died gone. */
    private static final Duration REPLIES_UNUSED_FOR = Duration.ofMinutes(30);

    private final RabbitSettings settings;
    private final boolean ownAnswers;
    private final String replies;

    private RabbitClientTransport(RabbitSettings settings, boolean ownAnswers, String replies) {
        this.settings = settings;
        this.ownAnswers = ownAnswers;
        this.replies = replies;
    }

    /**
     * The queues that nodes use unless they are told otherwise: {@code iocluster.requests} and {@code iocluster.answers}.
     *
     * @param uris of the cluster's nodes: {@code amqp://user:password@host:port/vhost} or {@code amqps://…}
     */
    public static RabbitClientTransport at(String... uris) {
        RabbitSettings defaults = RabbitSettings.DEFAULTS;
        List<ConnectionUri> parsed = Stream.of(uris).map(ConnectionUri::parse).toList();
        return new RabbitClientTransport(
                with(parsed, defaults.requests(), defaults.answers(), defaults.tls()), false, REPLIES);
    }

    /** The same with another queue of requests. */
    public RabbitClientTransport requests(String queue) {
        return new RabbitClientTransport(
                with(settings.uris(), reading(queue), settings.answers(), settings.tls()), ownAnswers, replies);
    }

    /**
     * The same with another queue for answers to what is only enqueued, which each such request then names: nodes must allow it in
     * {@code rabbit.answers.reply-to}, unless it is their own. The queue has to be there.
     */
    public RabbitClientTransport answers(String queue) {
        return new RabbitClientTransport(
                with(
                        settings.uris(),
                        settings.requests(),
                        new AnswerRoutingSettings("", queue, List.of()),
                        settings.tls()),
                true,
                replies);
    }

    /** The same with reply queues whose names begin so, in place of {@code iocluster.replies.}. */
    public RabbitClientTransport replies(String prefix) {
        return new RabbitClientTransport(settings, ownAnswers, prefix);
    }

    /** The same with these certificates, for {@code amqps}. */
    public RabbitClientTransport tls(RabbitTlsSettings tls) {
        return new RabbitClientTransport(
                with(settings.uris(), settings.requests(), settings.answers(), tls), ownAnswers, replies);
    }

    private static RequestQueueSettings reading(String queue) {
        // An answer that is dropped because of its size is lost.
        RequestQueueSettings rest = RequestQueueSettings.DEFAULTS;
        return new RequestQueueSettings(
                queue,
                rest.prefetch(),
                rest.bufferBytes(),
                rest.stallTimeout(),
                DataSize.ofMebibytes(RabbitSettings.MAX_MESSAGE_MEBIBYTES));
    }

    private static RabbitSettings with(
            List<ConnectionUri> uris,
            RequestQueueSettings requests,
            AnswerRoutingSettings answers,
            RabbitTlsSettings tls) {
        RabbitSettings rest = RabbitSettings.DEFAULTS;
        return new RabbitSettings(
                uris,
                rest.userId(),
                requests,
                answers,
                rest.deadLetters(),
                rest.delayed(),
                rest.declare(),
                tls,
                rest.management(),
                rest.heartbeat(),
                rest.connectTimeout(),
                rest.frameMax(),
                rest.maxMessageSize(),
                rest.confirmTimeout(),
                rest.ackInterval(),
                rest.ackBatchSize(),
                rest.lagInterval());
    }

    @Override
    public String name() {
        return "rabbit";
    }

    @Override
    public String defaultReplyTo() {
        return ownAnswers ? settings.answers().routingKey() : null;
    }

    @Override
    public ClientConnection connect(String clientName) throws IOException {
        String replyTo = replies + clientName + "." + UUID.randomUUID();
        RabbitRequestPublisher requests =
                new RabbitRequestPublisher(settings, clientName, new ReplyQueue(replyTo, REPLIES_UNUSED_FOR));
        try {
            return new ClientConnection(requests, requests.answers(), replyTo);
        } catch (IOException away) {
            requests.close();
            throw new IOException("rabbit: " + away.getMessage(), away);
        }
    }

    /** What requests are to a node, answers are to a listener. */
    @Override
    public RequestSource newAnswerSource(String clientName, String group) {
        RabbitSettings listening = with(
                settings.uris(),
                reading(settings.answers().routingKey()),
                new AnswerRoutingSettings("", settings.requests().queue(), List.of()),
                settings.tls());
        return new RabbitSource(
                listening, new Connector(listening, clientName), new ResourceAlarm(), Topology.forReading(listening));
    }

    /** Passwords are not shown. */
    @Override
    public String toString() {
        return "RabbitClientTransport[" + settings.uris() + ", "
                + settings.requests().queue() + ", " + settings.answers().routingKey() + "]";
    }
}
