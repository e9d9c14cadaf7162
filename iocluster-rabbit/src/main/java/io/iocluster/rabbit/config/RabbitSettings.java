package io.iocluster.rabbit.config;

import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.iocluster.transport.DelayedRetrySettings;
import java.time.Duration;
import java.util.List;

/** How the node meets RabbitMQ. */
public record RabbitSettings(
        @Setting(
                value = "[amqp://guest:guest@127.0.0.1:5672/]",
                doc = "The nodes of the cluster, `amqp://user:password@host:port/vhost` or `amqps://…`; one is"
                        + " drawn, and another where it does not answer. Passwords are never shown.")
        List<ConnectionUri> uris,

        @Setting(
                value = "\"\"",
                doc = "The broker's user name for the nodes' connections; empty: the user of `rabbit.uris`. Delayed"
                        + " retries carry it as their `user_id`, and nodes recognise their own by it.")
        String userId,

        @Setting(doc = "What is read.") RequestQueueSettings requests,

        @Setting(doc = "Where answers go.") AnswerRoutingSettings answers,

        @Setting(doc = "Where messages go that cannot be answered.")
        DeadLetterQueueSettings deadLetters,

        @Setting(doc = "Queues of calls that wait for long.")
        DelayedRetrySettings delayed,

        @Setting(doc = "Queues that the node makes when they are missing.")
        QueueDeclaration declare,

        @Setting(doc = "TLS, where the URIs say `amqps`.") RabbitTlsSettings tls,

        @Setting(doc = "The broker's own HTTP interface, for the lag of all nodes together.")
        ManagementApiSettings management,

        @Setting(value = "10s", doc = "A connection that is silent for so long is given up.")
        Duration heartbeat,

        @Setting(value = "5s", doc = "Longest wait for a connection to one node.")
        Duration connectTimeout,

        @Setting(value = "0B", doc = "Largest frame; 0B: as large as the broker allows.")
        DataSize frameMax,

        @Setting(
                value = "16MiB",
                doc = "Largest answer that is published, the broker's `max_message_size`: 16 MiB from 4.0 on, 128"
                        + " MiB before.")
        DataSize maxMessageSize,

        @Setting(
                value = "60s",
                doc = "How long the broker may take to confirm an answer; the request is then tried again.")
        Duration confirmTimeout,

        @Setting(value = "5ms", doc = "How long acknowledgements may gather, so that one speaks for many.")
        Duration ackInterval,

        @Setting(value = "100", doc = "So many acknowledgements are sent before the interval is over.")
        int ackBatchSize,

        @Setting(value = "2s", doc = "How often the broker is asked for the length of the queue, for the lag.")
        Duration lagInterval) {

    private static final DataSize LEAST_FRAME = new DataSize(8_192);
    /** A compile-time constant, because a nested record that uses it may be initialized before this class. */
    public static final int MAX_MESSAGE_MEBIBYTES = 512;

    /** What holds where the configuration says nothing. */
    public static final RabbitSettings DEFAULTS = new RabbitSettings(
            List.of(ConnectionUri.parse("amqp://guest:guest@127.0.0.1:5672/")),
            "",
            RequestQueueSettings.DEFAULTS,
            AnswerRoutingSettings.DEFAULTS,
            DeadLetterQueueSettings.DEFAULTS,
            DelayedRetrySettings.DEFAULTS,
            QueueDeclaration.DEFAULTS,
            RabbitTlsSettings.DEFAULTS,
            ManagementApiSettings.DEFAULTS,
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            new DataSize(0),
            DataSize.ofMebibytes(16),
            Duration.ofSeconds(60),
            Duration.ofMillis(5),
            100,
            Duration.ofSeconds(2));

    public RabbitSettings {
        uris = List.copyOf(uris);
        SettingsValidator mistakes = new SettingsValidator()
                .check(!uris.isEmpty(), "uris", "must name at least one node")
                .check(
                        uris.stream().map(AmqpUri::virtualHost).distinct().count() <= 1,
                        "uris",
                        "must all name the same virtual host")
                .check(
                        !delayed.enabled()
                                || !userId.isEmpty()
                                || uris.stream().map(AmqpUri::user).distinct().count() <= 1,
                        "uris",
                        "must all name the same user if delayed retries are enabled; otherwise set rabbit.user-id")
                .check(
                        tls.isEmpty() || uris.stream().anyMatch(AmqpUri::isTls),
                        "tls",
                        "has no effect, for no URI begins with amqps")
                .check(
                        heartbeat.toSeconds() >= 2 && heartbeat.toSeconds() <= 3_600,
                        "heartbeat",
                        "must be from 2s to 1h: " + DurationText.format(heartbeat))
                .checkPositive("connect-timeout", connectTimeout)
                .check(
                        frameMax.bytes() == 0 || frameMax.compareTo(LEAST_FRAME) >= 0,
                        "frame-max",
                        "must be 0B, or at least 8KiB: " + frameMax)
                .checkRange(
                        "max-message-size",
                        maxMessageSize,
                        new DataSize(1_024),
                        DataSize.ofMebibytes(MAX_MESSAGE_MEBIBYTES))
                .checkPositive("confirm-timeout", confirmTimeout)
                .checkNotNegative("ack-interval", ackInterval)
                .check(
                        ackInterval.toMillis() <= 60_000,
                        "ack-interval",
                        "must be at most 1m: " + DurationText.format(ackInterval))
                .checkRange("ack-batch-size", ackBatchSize, 1, 100_000)
                .checkPositive("lag-interval", lagInterval)
                .check(
                        !answers.isQueue(requests.queue()),
                        "answers.routing-key",
                        "must not be the queue that requests are read from: " + answers.routingKey())
                .check(
                        !requests.queue().equals(deadLetters.queue()),
                        "dead-letters.queue",
                        "must not be the queue that requests are read from: " + deadLetters.queue());
        ReplyToPolicy.checkLength(mistakes, "user-id", userId);
        List<String> waiting = delayedQueues(requests, delayed);
        waiting.forEach(queue -> ReplyToPolicy.checkQueue(mistakes, "delayed.prefix", queue));
        mistakes.check(
                waiting.stream()
                        .noneMatch(queue -> queue.equals(requests.queue())
                                || queue.equals(deadLetters.queue())
                                || answers.isQueue(queue)),
                "delayed.prefix",
                "makes the name of a queue that is used otherwise: " + delayed.prefix());
        for (int i = 0; i < uris.size(); i++) {
            String problem = AmqpUri.problem(uris.get(i));
            mistakes.check(problem == null, "uris[" + i + "]", problem);
        }
        mistakes.throwIfInvalid();
    }

    /** Returns the broker's user name for the nodes' connections. */
    public String effectiveUserId() {
        return userId.isEmpty() ? AmqpUri.user(uris.get(0)) : userId;
    }

    /** Where messages wait for so long. */
    public String delayedQueue(Duration delay) {
        return DelayedRetrySettings.tierName(delayed.prefixOrDefault(requests.queue()), delay);
    }

    /** Where messages wait; none where none are put off. */
    public List<String> delayedQueues() {
        return delayedQueues(requests, delayed);
    }

    private static List<String> delayedQueues(RequestQueueSettings requests, DelayedRetrySettings delayed) {
        String prefix = delayed.prefixOrDefault(requests.queue());
        return delayed.enabledTiers().stream()
                .map(delay -> DelayedRetrySettings.tierName(prefix, delay))
                .toList();
    }

    /** What is read. */
    public record RequestQueueSettings(
            @Setting(value = "iocluster.requests", doc = "The queue of requests.")
            String queue,

            @Setting(
                    value = "0",
                    doc = "How many messages the broker hands out before their acknowledgement; 0: twice"
                            + " `workers.max-in-flight`, at most `workers.max-unconfirmed` more than it.")
            int prefetch,

            @Setting(
                    value = "64MiB",
                    doc = "Most bytes of messages that wait in the node for a slot. Large messages lower the"
                            + " prefetch. A message that arrives when the buffer is full is requeued, and the node"
                            + " consumes nothing until the buffer is empty.")
            DataSize bufferBytes,

            @Setting(
                    value = "30s",
                    doc = "A broker that hands out nothing for this long, though messages are ready and the prefetch"
                            + " has room, is connected to anew.")
            Duration stallTimeout,

            @Setting(
                    value = "16MiB",
                    doc = "Largest message that is read. The node discards the body of a larger one and publishes a"
                            + " dead letter that names its size and SHA-256.")
            DataSize maxMessageSize) {

        public static final RequestQueueSettings DEFAULTS = new RequestQueueSettings(
                "iocluster.requests", 0, DataSize.ofMebibytes(64), Duration.ofSeconds(30), DataSize.ofMebibytes(16));

        public RequestQueueSettings {
            SettingsValidator mistakes = new SettingsValidator()
                    .checkRange("prefetch", prefetch, 0, 100_000)
                    .checkRange("buffer-bytes", bufferBytes, DataSize.ofMebibytes(1), new DataSize(1L << 40))
                    .checkPositive("stall-timeout", stallTimeout)
                    .checkRange(
                            "max-message-size",
                            maxMessageSize,
                            new DataSize(1_024),
                            DataSize.ofMebibytes(MAX_MESSAGE_MEBIBYTES));
            ReplyToPolicy.checkQueue(mistakes, "queue", queue);
            mistakes.throwIfInvalid();
        }
    }

    /** Where answers go. */
    public record AnswerRoutingSettings(
            @Setting(value = "\"\"", doc = "The exchange of the answers; empty: the default one.")
            String exchange,

            @Setting(
                    value = "iocluster.answers",
                    doc = "The routing key of the answers, which for the default exchange is the queue's name.")
            String routingKey,

            @Setting(
                    value = "[]",
                    doc = "Further queues that an envelope's `replyTo` or a message's `reply_to` may name. `*`"
                            + " stands for any characters: `team-a.*`, `{user-id}` for the message's `user_id`, which"
                            + " the broker checks, and `{header:NAME}` for that header: `{user-id}.answers`. The"
                            + " queues of requests and of dead letters are never allowed.")
            List<String> replyTo) {

        public static final AnswerRoutingSettings DEFAULTS =
                new AnswerRoutingSettings("", "iocluster.answers", List.of());

        public AnswerRoutingSettings {
            replyTo = List.copyOf(replyTo);
            SettingsValidator mistakes = new SettingsValidator();
            ReplyToPolicy.checkLength(mistakes, "exchange", exchange);
            ReplyToPolicy.checkLength(mistakes, "routing-key", routingKey);
            mistakes.check(
                    !exchange.isEmpty() || !routingKey.isEmpty(),
                    "routing-key",
                    "must not be empty where the exchange is the default one");
            mistakes.checkEach(
                    "reply-to", replyTo, (key, pattern) -> ReplyToPolicy.checkPattern(mistakes, key, pattern));
            mistakes.throwIfInvalid();
        }

        /** Whether answers go straight to the queue of that name. */
        public boolean isQueue(String name) {
            return exchange.isEmpty() && routingKey.equals(name);
        }
    }

    /** Where messages go that cannot be answered. */
    public record DeadLetterQueueSettings(
            @Setting(value = "iocluster.dead-letters", doc = "The queue of the dead letters.")
            String queue) {

        public static final DeadLetterQueueSettings DEFAULTS = new DeadLetterQueueSettings("iocluster.dead-letters");

        public DeadLetterQueueSettings {
            SettingsValidator mistakes = new SettingsValidator();
            ReplyToPolicy.checkQueue(mistakes, "queue", queue);
            mistakes.throwIfInvalid();
        }
    }

    /** Queues that the node makes when they are missing. */
    public record QueueDeclaration(
            @Setting(value = "false", doc = "Whether missing queues are declared, durable, whenever the node connects.")
            boolean enabled,

            @Setting(value = "quorum", doc = "The type of a queue declared.")
            QueueType queueType) {

        public static final QueueDeclaration DEFAULTS = new QueueDeclaration(false, QueueType.QUORUM);
    }

    /** What a queue is made of. */
    public enum QueueType {
        QUORUM,
        CLASSIC
    }

    /** The broker's own HTTP interface. */
    public record ManagementApiSettings(
            @Setting(
                    value = "[]",
                    doc = "Where the management plugin answers, `http://user:password@host:15672` or `https://…`;"
                            + " without a login, the one of `rabbit.uris`. Empty: it is not asked, and the lag"
                            + " counts what is ready and what this node holds.")
            List<ConnectionUri> uris,

            @Setting(value = "5s", doc = "Longest wait for its answer.")
            Duration timeout) {

        public static final ManagementApiSettings DEFAULTS =
                new ManagementApiSettings(List.of(), Duration.ofSeconds(5));

        public ManagementApiSettings {
            uris = List.copyOf(uris);
            SettingsValidator mistakes = new SettingsValidator().checkPositive("timeout", timeout);
            for (int i = 0; i < uris.size(); i++) {
                String scheme = uris.get(i).scheme();
                mistakes.check(
                        scheme.equals("http") || scheme.equals("https"),
                        "uris[" + i + "]",
                        "must begin with http or https: " + scheme);
            }
            mistakes.throwIfInvalid();
        }
    }
}
