package io.iocluster.rabbit.config;

import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.iocluster.transport.DelayedRetrySettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** The settings under {@code rabbit}. Immutable. */
public record RabbitSettings(
        @Setting(
                value = "[amqp://guest:guest@127.0.0.1:5672/]",
                doc = "The nodes of the RabbitMQ cluster, `amqp://user:password@host:port/vhost` or `amqps://…`,"
                        + " which each connection tries in random order. Passwords are never shown.")
        List<ConnectionUri> uris,

        @Setting(
                value = "\"\"",
                doc = "The broker's user name for the nodes' connections, by which nodes recognise delayed retries."
                        + " Empty: the user of `rabbit.uris`.")
        String userId,

        @Setting(doc = "The request queue.") RequestQueueSettings requests,

        @Setting(doc = "The routing of answers.") AnswerRoutingSettings answers,

        @Setting(doc = "The queue for messages that cannot be answered.")
        DeadLetterQueueSettings deadLetters,

        @Setting(doc = "Queues for delayed retries.") DelayedRetrySettings delayed,

        @Setting(doc = "Exchange on which the nodes announce themselves: see `cluster`.")
        ClusterExchangeSettings cluster,

        @Setting(doc = "Queues that the node declares if they are missing.")
        QueueDeclaration declare,

        @Setting(doc = "TLS, for URIs that start with `amqps`.")
        RabbitTlsSettings tls,

        @Setting(doc = "The broker's management API, for the lag of all nodes together.")
        ManagementApiSettings management,

        @Setting(
                value = "10s",
                doc = "AMQP heartbeat. A connection without traffic for this long is closed and opened again.")
        Duration heartbeat,

        @Setting(value = "5s", doc = "Maximum wait for a connection to one node.")
        Duration connectTimeout,

        @Setting(value = "0B", doc = "Largest frame. 0B: the broker's own limit.")
        DataSize frameMax,

        @Setting(
                value = "16MiB",
                doc = "Largest answer that the node publishes: the broker's `max_message_size`, 16 MiB from RabbitMQ"
                        + " 4.0 on, 128 MiB before.")
        DataSize maxMessageSize,

        @Setting(
                value = "60s",
                doc = "How long the broker may take to confirm an answer. After that the node publishes it again.")
        Duration confirmTimeout,

        @Setting(value = "5ms", doc = "How long the node collects acknowledgements, so that one covers many messages.")
        Duration ackInterval,

        @Setting(
                value = "100",
                doc = "Settled messages that the node acknowledges without waiting for `rabbit.ack-interval`.")
        int ackBatchSize,

        @Setting(value = "2s", doc = "How often the node asks for the queue length, part of the lag.")
        Duration lagInterval) {

    private static final String DEFAULT_SUFFIX = ".nodes";
    private static final DataSize MIN_FRAME = new DataSize(8_192);
    /** A compile-time constant, because a nested record that uses it may be initialized before this class. */
    public static final int MAX_MESSAGE_MEBIBYTES = 512;

    /** The values of keys that the configuration leaves out. */
    public static final RabbitSettings DEFAULTS = new RabbitSettings(
            List.of(ConnectionUri.parse("amqp://guest:guest@127.0.0.1:5672/")),
            "",
            RequestQueueSettings.DEFAULTS,
            AnswerRoutingSettings.DEFAULTS,
            DeadLetterQueueSettings.DEFAULTS,
            DelayedRetrySettings.DEFAULTS,
            ClusterExchangeSettings.DEFAULTS,
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
        SettingsValidator validator = new SettingsValidator()
                .check(!uris.isEmpty(), "uris", "must name at least one node")
                .check(
                        uris.stream().map(AmqpUri::virtualHost).distinct().count() <= 1,
                        "uris",
                        "must all have the same virtual host")
                .check(
                        !delayed.enabled()
                                || !userId.isEmpty()
                                || uris.stream().map(AmqpUri::user).distinct().count() <= 1,
                        "uris",
                        "must all have the same user if delayed retries are enabled; otherwise set rabbit.user-id")
                .check(
                        tls.isEmpty() || uris.stream().anyMatch(AmqpUri::isTls),
                        "tls",
                        "has no effect because no URI starts with amqps")
                .check(
                        heartbeat.toSeconds() >= 2 && heartbeat.toSeconds() <= 3_600,
                        "heartbeat",
                        "must be from 2s to 1h: " + DurationText.format(heartbeat))
                .checkPositive("connect-timeout", connectTimeout)
                .check(
                        frameMax.bytes() == 0 || frameMax.compareTo(MIN_FRAME) >= 0,
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
                        "must not be the request queue: " + answers.routingKey())
                .check(
                        !requests.queue().equals(deadLetters.queue()),
                        "dead-letters.queue",
                        "must not be the request queue: " + deadLetters.queue());
        ReplyToPolicy.checkLength(validator, "user-id", userId);
        List<String> delayedQueues = delayedQueues(requests, delayed);
        delayedQueues.forEach(queue -> ReplyToPolicy.checkQueue(validator, "delayed.prefix", queue));
        validator.check(
                delayedQueues.stream()
                        .noneMatch(queue -> queue.equals(requests.queue())
                                || queue.equals(deadLetters.queue())
                                || answers.isQueue(queue)),
                "delayed.prefix",
                "results in the name of a queue with another purpose: " + delayed.prefix());
        validator.check(
                !clusterExchange(requests, cluster).equals(answers.exchange()),
                "cluster.exchange",
                "must not be the exchange of answers: " + answers.exchange());
        for (int i = 0; i < uris.size(); i++) {
            String problem = AmqpUri.problem(uris.get(i));
            validator.check(problem == null, "uris[" + i + "]", problem);
        }
        validator.throwIfInvalid();
    }

    /** Returns the addresses of the broker's nodes, joined by commas, without credentials. */
    public String addresses() {
        return uris.stream().map(ConnectionUri::address).collect(Collectors.joining(","));
    }

    /** Returns the broker's user name for the nodes' connections. */
    public String effectiveUserId() {
        return userId.isEmpty() ? AmqpUri.user(uris.get(0)) : userId;
    }

    /** Returns the exchange on which the nodes announce themselves. */
    public String clusterExchange() {
        return clusterExchange(requests, cluster);
    }

    private static String clusterExchange(RequestQueueSettings requests, ClusterExchangeSettings cluster) {
        return cluster.exchange().isEmpty()
                ? ReplyToPolicy.cut(requests.queue(), ClusterExchangeSettings.MAX_BYTES - DEFAULT_SUFFIX.length())
                        + DEFAULT_SUFFIX
                : cluster.exchange();
    }

    /** Returns the queue for delayed retries with this delay. */
    public String delayedQueue(Duration delay) {
        return DelayedRetrySettings.tierName(delayed.prefixOrDefault(requests.queue()), delay);
    }

    /** Returns the queues for delayed retries; empty if they are disabled. */
    public List<String> delayedQueues() {
        return delayedQueues(requests, delayed);
    }

    private static List<String> delayedQueues(RequestQueueSettings requests, DelayedRetrySettings delayed) {
        String prefix = delayed.prefixOrDefault(requests.queue());
        return delayed.enabledTiers().stream()
                .map(delay -> DelayedRetrySettings.tierName(prefix, delay))
                .toList();
    }

    /** The request queue and how the node reads it. */
    public record RequestQueueSettings(
            @Setting(value = "iocluster.requests", doc = "The request queue.")
            String queue,

            @Setting(
                    value = "0",
                    doc = "Maximum of unacknowledged messages. 0: twice `workers.max-in-flight`, at most"
                            + " `workers.max-unconfirmed` more than it.")
            int prefetch,

            @Setting(
                    value = "64MiB",
                    doc = "Maximum bytes of messages that wait for a slot. Large messages lower the prefetch. A"
                            + " message that does not fit is requeued, and the node consumes nothing until the buffer"
                            + " is empty.")
            DataSize bufferBytes,

            @Setting(
                    value = "30s",
                    doc = "The node reconnects if the broker delivers nothing for this long, although messages are"
                            + " ready and the prefetch has room.")
            Duration stallTimeout,

            @Setting(
                    value = "16MiB",
                    doc = "Largest message that the node reads. A larger one becomes a dead letter with its size and"
                            + " SHA-256 instead of its body.")
            DataSize maxMessageSize) {

        public static final RequestQueueSettings DEFAULTS = new RequestQueueSettings(
                "iocluster.requests", 0, DataSize.ofMebibytes(64), Duration.ofSeconds(30), DataSize.ofMebibytes(16));

        public RequestQueueSettings {
            SettingsValidator validator = new SettingsValidator()
                    .checkRange("prefetch", prefetch, 0, 100_000)
                    .checkRange("buffer-bytes", bufferBytes, DataSize.ofMebibytes(1), new DataSize(1L << 40))
                    .checkPositive("stall-timeout", stallTimeout)
                    .checkRange(
                            "max-message-size",
                            maxMessageSize,
                            new DataSize(1_024),
                            DataSize.ofMebibytes(MAX_MESSAGE_MEBIBYTES));
            ReplyToPolicy.checkQueue(validator, "queue", queue);
            validator.throwIfInvalid();
        }
    }

    /** The exchange and routing key of answers, and the allowed reply-to queues. */
    public record AnswerRoutingSettings(
            @Setting(value = "\"\"", doc = "The exchange for answers. Empty: the default exchange.")
            String exchange,

            @Setting(
                    value = "iocluster.answers",
                    doc = "The routing key of answers: for the default exchange, the queue.")
            String routingKey,

            @Setting(
                    value = "[]",
                    doc = "More queues that an envelope's `replyTo` or a message's `reply_to` may name. `*` stands"
                            + " for any characters: `team-a.*`, `{user-id}` for the message's `user_id`, which the"
                            + " broker checks: `{user-id}.answers`, and `{header:NAME}` for a header. The request"
                            + " queue, the dead-letter queue and the queues of delayed retries are never allowed.")
            List<String> replyTo) {

        public static final AnswerRoutingSettings DEFAULTS =
                new AnswerRoutingSettings("", "iocluster.answers", List.of());

        public AnswerRoutingSettings {
            replyTo = List.copyOf(replyTo);
            SettingsValidator validator = new SettingsValidator();
            ReplyToPolicy.checkLength(validator, "exchange", exchange);
            ReplyToPolicy.checkLength(validator, "routing-key", routingKey);
            validator.check(
                    !exchange.isEmpty() || !routingKey.isEmpty(),
                    "routing-key",
                    "must not be empty if the exchange is the default one");
            validator.checkEach(
                    "reply-to", replyTo, (key, pattern) -> ReplyToPolicy.checkPattern(validator, key, pattern));
            validator.throwIfInvalid();
        }

        /** Returns whether answers go to the queue of this name through the default exchange. */
        public boolean isQueue(String name) {
            return exchange.isEmpty() && routingKey.equals(name);
        }
    }

    /** The dead-letter queue. */
    public record DeadLetterQueueSettings(
            @Setting(value = "iocluster.dead-letters", doc = "The dead-letter queue.")
            String queue) {

        public static final DeadLetterQueueSettings DEFAULTS = new DeadLetterQueueSettings("iocluster.dead-letters");

        public DeadLetterQueueSettings {
            SettingsValidator validator = new SettingsValidator();
            ReplyToPolicy.checkQueue(validator, "queue", queue);
            validator.throwIfInvalid();
        }
    }

    /** The exchange on which the nodes announce themselves. */
    public record ClusterExchangeSettings(
            @Setting(
                    value = "\"\"",
                    doc = "Fanout exchange for the [announcements](operations/cluster.md#how-it-works), the same on"
                            + " all nodes that share requests, and on no others. Empty: the request queue,"
                            + " and `.nodes`.")
            String exchange) {

        /** Leaves room for the suffix of the nodes' queues. */
        static final int MAX_BYTES = 200;

        public static final ClusterExchangeSettings DEFAULTS = new ClusterExchangeSettings("");

        public ClusterExchangeSettings {
            new SettingsValidator()
                    .check(
                            exchange.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES,
                            "exchange",
                            "must be at most " + MAX_BYTES + " bytes long: " + exchange)
                    .throwIfInvalid();
        }
    }

    /** Whether and how the node declares missing queues. */
    public record QueueDeclaration(
            @Setting(
                    value = "false",
                    doc = "Whether the node declares missing durable queues, and a missing exchange of"
                            + " `rabbit.cluster`, each time it connects.")
            boolean enabled,

            @Setting(value = "quorum", doc = "The type of declared queues.")
            QueueType queueType) {

        public static final QueueDeclaration DEFAULTS = new QueueDeclaration(false, QueueType.QUORUM);
    }

    /** The type of a queue. */
    public enum QueueType {
        QUORUM,
        CLASSIC
    }

    /** The broker's management API. */
    public record ManagementApiSettings(
            @Setting(
                    value = "[]",
                    doc = "Addresses of the management plugin, `http://user:password@host:15672` or `https://…`."
                            + " Without a login the node uses that of `rabbit.uris`. Empty: the lag counts only ready"
                            + " messages and those that this node holds.")
            List<ConnectionUri> uris,

            @Setting(value = "5s", doc = "Maximum wait for a response.")
            Duration timeout) {

        public static final ManagementApiSettings DEFAULTS =
                new ManagementApiSettings(List.of(), Duration.ofSeconds(5));

        public ManagementApiSettings {
            uris = List.copyOf(uris);
            SettingsValidator validator = new SettingsValidator().checkPositive("timeout", timeout);
            for (int i = 0; i < uris.size(); i++) {
                String scheme = uris.get(i).scheme();
                validator.check(
                        scheme.equals("http") || scheme.equals("https"),
                        "uris[" + i + "]",
                        "must start with http or https: " + scheme);
            }
            validator.throwIfInvalid();
        }
    }
}
