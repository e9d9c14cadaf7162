package io.iocluster.rabbit.client;

import io.iocluster.client.spi.ClientTransport;
import io.iocluster.rabbit.client.AnswerQueue.ReplyQueue;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.config.RabbitSettings.AnswerRoutingSettings;
import io.iocluster.rabbit.config.RabbitSettings.RequestQueueSettings;
import io.iocluster.rabbit.config.RabbitTlsSettings;
import io.iocluster.rabbit.connection.Connector;
import io.iocluster.rabbit.connection.RabbitConnections;
import io.iocluster.rabbit.connection.ResourceAlarm;
import io.iocluster.rabbit.connection.Topology;
import io.iocluster.rabbit.source.RabbitSource;
import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.DataSize;
import io.iocluster.thread.Platform;
import io.iocluster.transport.RequestSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The RabbitMQ transport of a client. Immutable. A client has one connection, on which it publishes requests and consumes its own
 * reply queue. Nodes must allow that queue in {@code rabbit.answers.reply-to}, for example with {@code iocluster.replies.*}.
 */
public final class RabbitClientTransport implements ClientTransport {

    private static final String DEFAULT_REPLY_PREFIX = "iocluster.replies.";
    /** Longer than any call may take, so that the queue of a client that died still exists when its answers arrive. */
    private static final Duration REPLY_QUEUE_EXPIRY = Duration.ofMinutes(30);

    private final RabbitSettings settings;
    private final boolean hasAnswerQueue;
    private final String replyPrefix;
    private final Platform platform;

    private RabbitClientTransport(
            RabbitSettings settings, boolean hasAnswerQueue, String replyPrefix, Platform platform) {
        this.settings = settings;
        this.hasAnswerQueue = hasAnswerQueue;
        this.replyPrefix = replyPrefix;
        this.platform = platform;
    }

    /**
     * Returns a transport with the nodes' default queues: {@code iocluster.requests} and {@code iocluster.answers}.
     *
     * @param uris of the broker's nodes: {@code amqp://user:password@host:port/vhost} or {@code amqps://…}
     */
    public static RabbitClientTransport at(String... uris) {
        return at(Stream.of(uris).map(ConnectionUri::parse).toList());
    }

    /** Returns a transport as {@link #at(String...)} does. */
    public static RabbitClientTransport at(List<ConnectionUri> uris) {
        RabbitSettings defaults = RabbitSettings.DEFAULTS;
        return new RabbitClientTransport(
                with(uris, defaults.requests(), defaults.answers(), defaults.tls()),
                false,
                DEFAULT_REPLY_PREFIX,
                Platform.system());
    }

    /** Returns a copy with another request queue. */
    public RabbitClientTransport requests(String queue) {
        return new RabbitClientTransport(
                with(settings.uris(), consuming(queue), settings.answers(), settings.tls()),
                hasAnswerQueue,
                replyPrefix,
                platform);
    }

    /**
     * Returns a copy with another queue for answers to requests that are only enqueued. Each such request names it as reply-to: nodes
     * must allow it in {@code rabbit.answers.reply-to}, unless it is their own answer queue. The queue must exist.
     */
    public RabbitClientTransport answers(String queue) {
        return new RabbitClientTransport(
                with(
                        settings.uris(),
                        settings.requests(),
                        new AnswerRoutingSettings("", queue, List.of()),
                        settings.tls()),
                true,
                replyPrefix,
                platform);
    }

    /** Returns a copy with another prefix of reply queues than {@code iocluster.replies.}. */
    public RabbitClientTransport replies(String prefix) {
        return new RabbitClientTransport(settings, hasAnswerQueue, prefix, platform);
    }

    /** Returns a copy with these certificates, for {@code amqps}. */
    public RabbitClientTransport tls(RabbitTlsSettings tls) {
        return new RabbitClientTransport(
                with(settings.uris(), settings.requests(), settings.answers(), tls),
                hasAnswerQueue,
                replyPrefix,
                platform);
    }

    /** Returns a copy that runs on this platform. */
    public RabbitClientTransport platform(Platform other) {
        return new RabbitClientTransport(settings, hasAnswerQueue, replyPrefix, other);
    }

    private static RequestQueueSettings consuming(String queue) {
        // The largest size, because a dropped answer is lost.
        RequestQueueSettings defaults = RequestQueueSettings.DEFAULTS;
        return new RequestQueueSettings(
                queue,
                defaults.prefetch(),
                defaults.bufferBytes(),
                defaults.stallTimeout(),
                DataSize.ofMebibytes(RabbitSettings.MAX_MESSAGE_MEBIBYTES));
    }

    private static RabbitSettings with(
            List<ConnectionUri> uris,
            RequestQueueSettings requests,
            AnswerRoutingSettings answers,
            RabbitTlsSettings tls) {
        RabbitSettings defaults = RabbitSettings.DEFAULTS;
        return new RabbitSettings(
                uris,
                defaults.userId(),
                requests,
                answers,
                defaults.deadLetters(),
                defaults.delayed(),
                defaults.cluster(),
                defaults.declare(),
                tls,
                defaults.management(),
                defaults.heartbeat(),
                defaults.connectTimeout(),
                defaults.frameMax(),
                defaults.maxMessageSize(),
                defaults.confirmTimeout(),
                defaults.ackInterval(),
                defaults.ackBatchSize(),
                defaults.lagInterval());
    }

    @Override
    public String name() {
        return "rabbit";
    }

    @Override
    public String defaultReplyTo() {
        return hasAnswerQueue ? settings.answers().routingKey() : null;
    }

    @Override
    public ClientConnection connect(String clientName) throws IOException {
        String replyTo = replyPrefix + clientName + "." + platform.uniqueId();
        RabbitRequestPublisher requests = new RabbitRequestPublisher(
                settings, connections(settings, clientName), new ReplyQueue(replyTo, REPLY_QUEUE_EXPIRY), platform);
        try {
            return new ClientConnection(requests, requests.answers(), replyTo);
        } catch (IOException unreachable) {
            requests.close();
            throw new IOException("rabbit: " + unreachable.getMessage(), unreachable);
        }
    }

    /** Returns a source that reads the answer queue as a node reads the request queue. */
    @Override
    public RequestSource newAnswerSource(String clientName, String group) {
        RabbitSettings listening = with(
                settings.uris(),
                consuming(settings.answers().routingKey()),
                new AnswerRoutingSettings("", settings.requests().queue(), List.of()),
                settings.tls());
        return new RabbitSource(
                listening,
                connections(listening, clientName),
                new ResourceAlarm(),
                Topology.forReading(listening),
                platform);
    }

    private RabbitConnections connections(RabbitSettings used, String clientName) {
        return new Connector(used, clientName, platform);
    }

    /** Leaves out passwords. */
    @Override
    public String toString() {
        return "RabbitClientTransport[" + settings.uris() + ", "
                + settings.requests().queue() + ", " + settings.answers().routingKey() + "]";
    }
}
