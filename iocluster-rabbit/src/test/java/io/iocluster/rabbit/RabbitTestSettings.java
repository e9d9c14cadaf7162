package io.iocluster.rabbit;

import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.config.RabbitSettings.AnswerRoutingSettings;
import io.iocluster.rabbit.config.RabbitSettings.DeadLetterQueueSettings;
import io.iocluster.rabbit.config.RabbitSettings.ManagementApiSettings;
import io.iocluster.rabbit.config.RabbitSettings.QueueDeclaration;
import io.iocluster.rabbit.config.RabbitSettings.QueueType;
import io.iocluster.rabbit.config.RabbitSettings.RequestQueueSettings;
import io.iocluster.rabbit.config.RabbitTlsSettings;
import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.DataSize;
import io.iocluster.transport.DelayedRetrySettings;
import java.time.Duration;
import java.util.List;

/** Builds settings for tests. Immutable. */
public record RabbitTestSettings(RabbitSettings settings) {

    /** Returns settings with declared queues {@code name.requests}, {@code name.answers} and {@code name.dead}. */
    public static RabbitTestSettings of(String uri, String name) {
        RabbitSettings defaults = RabbitSettings.DEFAULTS;
        return new RabbitTestSettings(new RabbitSettings(
                List.of(ConnectionUri.parse(uri)),
                "",
                new RequestQueueSettings(
                        name + ".requests",
                        0,
                        DataSize.ofMebibytes(64),
                        Duration.ofSeconds(30),
                        DataSize.ofMebibytes(16)),
                new AnswerRoutingSettings("", name + ".answers", List.of(name + ".reply-*")),
                new DeadLetterQueueSettings(name + ".dead"),
                DelayedRetrySettings.DEFAULTS,
                new QueueDeclaration(true, QueueType.QUORUM),
                defaults.tls(),
                defaults.management(),
                Duration.ofSeconds(2),
                defaults.connectTimeout(),
                defaults.frameMax(),
                defaults.maxMessageSize(),
                defaults.confirmTimeout(),
                defaults.ackInterval(),
                defaults.ackBatchSize(),
                Duration.ofMillis(200)));
    }

    public RabbitTestSettings uris(String... uris) {
        return with(
                List.of(uris).stream().map(ConnectionUri::parse).toList(),
                settings.requests(),
                settings.answers(),
                settings.declare(),
                settings.tls(),
                settings.management(),
                settings.maxMessageSize(),
                settings.confirmTimeout());
    }

    public RabbitTestSettings prefetch(int prefetch) {
        return with(
                settings.uris(),
                new RequestQueueSettings(
                        settings.requests().queue(),
                        prefetch,
                        settings.requests().bufferBytes(),
                        settings.requests().stallTimeout(),
                        settings.requests().maxMessageSize()),
                settings.answers(),
                settings.declare(),
                settings.tls(),
                settings.management(),
                settings.maxMessageSize(),
                settings.confirmTimeout());
    }

    public RabbitTestSettings inbound(DataSize bufferBytes, DataSize maxMessageSize) {
        return with(
                settings.uris(),
                new RequestQueueSettings(
                        settings.requests().queue(),
                        settings.requests().prefetch(),
                        bufferBytes,
                        settings.requests().stallTimeout(),
                        maxMessageSize),
                settings.answers(),
                settings.declare(),
                settings.tls(),
                settings.management(),
                settings.maxMessageSize(),
                settings.confirmTimeout());
    }

    public RabbitTestSettings answers(AnswerRoutingSettings answers) {
        return with(
                settings.uris(),
                settings.requests(),
                answers,
                settings.declare(),
                settings.tls(),
                settings.management(),
                settings.maxMessageSize(),
                settings.confirmTimeout());
    }

    public RabbitTestSettings declare(boolean enabled, QueueType type) {
        return with(
                settings.uris(),
                settings.requests(),
                settings.answers(),
                new QueueDeclaration(enabled, type),
                settings.tls(),
                settings.management(),
                settings.maxMessageSize(),
                settings.confirmTimeout());
    }

    public RabbitTestSettings tls(RabbitTlsSettings tls) {
        return with(
                settings.uris(),
                settings.requests(),
                settings.answers(),
                settings.declare(),
                tls,
                settings.management(),
                settings.maxMessageSize(),
                settings.confirmTimeout());
    }

    public RabbitTestSettings management(String uri) {
        return with(
                settings.uris(),
                settings.requests(),
                settings.answers(),
                settings.declare(),
                settings.tls(),
                new ManagementApiSettings(List.of(ConnectionUri.parse(uri)), Duration.ofSeconds(5)),
                settings.maxMessageSize(),
                settings.confirmTimeout());
    }

    public RabbitTestSettings maxMessageSize(long bytes) {
        return with(
                settings.uris(),
                settings.requests(),
                settings.answers(),
                settings.declare(),
                settings.tls(),
                settings.management(),
                new DataSize(bytes),
                settings.confirmTimeout());
    }

    public RabbitTestSettings confirmTimeout(Duration timeout) {
        return with(
                settings.uris(),
                settings.requests(),
                settings.answers(),
                settings.declare(),
                settings.tls(),
                settings.management(),
                settings.maxMessageSize(),
                timeout);
    }

    public RabbitTestSettings userId(String userId) {
        return with(userId, settings.delayed());
    }

    /** Returns a copy with one queue for delayed retries. */
    public RabbitTestSettings delay(Duration delay) {
        return with(settings.userId(), new DelayedRetrySettings(true, "", List.of(delay)));
    }

    private RabbitTestSettings with(String userId, DelayedRetrySettings delayed) {
        return new RabbitTestSettings(new RabbitSettings(
                settings.uris(),
                userId,
                settings.requests(),
                settings.answers(),
                settings.deadLetters(),
                delayed,
                settings.declare(),
                settings.tls(),
                settings.management(),
                settings.heartbeat(),
                settings.connectTimeout(),
                settings.frameMax(),
                settings.maxMessageSize(),
                settings.confirmTimeout(),
                settings.ackInterval(),
                settings.ackBatchSize(),
                settings.lagInterval()));
    }

    private RabbitTestSettings with(
            List<ConnectionUri> uris,
            RequestQueueSettings requests,
            AnswerRoutingSettings answers,
            QueueDeclaration declare,
            RabbitTlsSettings tls,
            ManagementApiSettings management,
            DataSize maxMessageSize,
            Duration confirmTimeout) {
        return new RabbitTestSettings(new RabbitSettings(
                uris,
                settings.userId(),
                requests,
                answers,
                settings.deadLetters(),
                settings.delayed(),
                declare,
                tls,
                management,
                settings.heartbeat(),
                settings.connectTimeout(),
                settings.frameMax(),
                maxMessageSize,
                confirmTimeout,
                settings.ackInterval(),
                settings.ackBatchSize(),
                settings.lagInterval()));
    }
}
