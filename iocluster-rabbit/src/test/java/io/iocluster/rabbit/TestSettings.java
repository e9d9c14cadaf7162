package io.iocluster.rabbit;

import io.iocluster.rabbit.RabbitSettings.Answers;
import io.iocluster.rabbit.RabbitSettings.DeadLetters;
import io.iocluster.rabbit.RabbitSettings.Declare;
import io.iocluster.rabbit.RabbitSettings.Management;
import io.iocluster.rabbit.RabbitSettings.QueueType;
import io.iocluster.rabbit.RabbitSettings.Requests;
import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.DataSize;
import io.iocluster.transport.DelayedSettings;
import java.time.Duration;
import java.util.List;

/** Settings for tests, changed one at a time. Immutable. */
record TestSettings(RabbitSettings settings) {

    /** Queues of their own, declared by the node: {@code name.requests}, {@code name.answers}, {@code name.dead}. */
    static TestSettings of(String uri, String name) {
        RabbitSettings base = RabbitSettings.DEFAULTS;
        return new TestSettings(new RabbitSettings(
                List.of(ConnectionUri.parse(uri)),
                "",
                new Requests(
                        name + ".requests",
                        0,
                        DataSize.ofMebibytes(64),
                        Duration.ofSeconds(30),
                        DataSize.ofMebibytes(16)),
                new Answers("", name + ".answers", List.of(name + ".reply-*")),
                new DeadLetters(name + ".dead"),
                DelayedSettings.DEFAULTS,
                new Declare(true, QueueType.QUORUM),
                base.tls(),
                base.management(),
                Duration.ofSeconds(2),
                base.connectTimeout(),
                base.frameMax(),
                base.maxMessageSize(),
                base.confirmTimeout(),
                base.ackInterval(),
                base.ackEvery(),
                Duration.ofMillis(200)));
    }

    TestSettings uris(String... uris) {
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

    TestSettings prefetch(int prefetch) {
        return with(
                settings.uris(),
                new Requests(
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

    TestSettings inbound(DataSize bufferBytes, DataSize maxMessageSize) {
        return with(
                settings.uris(),
                new Requests(
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

    TestSettings answers(Answers answers) {
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

    TestSettings declare(boolean enabled, QueueType type) {
        return with(
                settings.uris(),
                settings.requests(),
                settings.answers(),
                new Declare(enabled, type),
                settings.tls(),
                settings.management(),
                settings.maxMessageSize(),
                settings.confirmTimeout());
    }

    TestSettings tls(TlsSettings tls) {
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

    TestSettings management(String uri) {
        return with(
                settings.uris(),
                settings.requests(),
                settings.answers(),
                settings.declare(),
                settings.tls(),
                new Management(List.of(ConnectionUri.parse(uri)), Duration.ofSeconds(5)),
                settings.maxMessageSize(),
                settings.confirmTimeout());
    }

    TestSettings maxMessageSize(long bytes) {
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

    TestSettings confirmTimeout(Duration timeout) {
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

    TestSettings userId(String userId) {
        return with(userId, settings.delayed());
    }

    /** With a queue for what is put off for so long. */
    TestSettings delay(Duration delay) {
        return with(settings.userId(), new DelayedSettings(true, "", List.of(delay)));
    }

    private TestSettings with(String userId, DelayedSettings delayed) {
        return new TestSettings(new RabbitSettings(
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
                settings.ackEvery(),
                settings.lagInterval()));
    }

    private TestSettings with(
            List<ConnectionUri> uris,
            Requests requests,
            Answers answers,
            Declare declare,
            TlsSettings tls,
            Management management,
            DataSize maxMessageSize,
            Duration confirmTimeout) {
        return new TestSettings(new RabbitSettings(
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
                settings.ackEvery(),
                settings.lagInterval()));
    }
}
