package io.iocluster.rabbit;

import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.config.RabbitSettings.AnswerRoutingSettings;
import io.iocluster.rabbit.config.RabbitSettings.ClusterExchangeSettings;
import io.iocluster.rabbit.config.RabbitSettings.DeadLetterQueueSettings;
import io.iocluster.rabbit.config.RabbitSettings.ManagementApiSettings;
import io.iocluster.rabbit.config.RabbitSettings.QueueDeclaration;
import io.iocluster.rabbit.config.RabbitSettings.QueueType;
import io.iocluster.rabbit.config.RabbitTlsSettings;
import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.transport.DelayedRetrySettings;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Builds settings for tests. Immutable. */
public record RabbitTestSettings(RabbitSettings settings) {

    /**
     * Returns settings with declared queues {@code name.requests}, {@code name.answers} and {@code name.dead}. Connections stay open while
     * a busy machine pauses the broker or the test for less than a minute, because a test counts what is delivered again.
     */
    public static RabbitTestSettings of(String uri, String name) {
        return new RabbitTestSettings(RabbitSettings.DEFAULTS)
                .uris(uri)
                .requests("queue", name + ".requests")
                .answers(new AnswerRoutingSettings("", name + ".answers", List.of(name + ".reply-*")))
                .declare(true, QueueType.QUORUM)
                .with(
                        "deadLetters",
                        new DeadLetterQueueSettings(name + ".dead"),
                        "heartbeat",
                        Duration.ofMinutes(1),
                        "lagInterval",
                        Duration.ofMillis(200));
    }

    public RabbitTestSettings uris(String... uris) {
        return with("uris", Stream.of(uris).map(ConnectionUri::parse).toList());
    }

    public RabbitTestSettings prefetch(int prefetch) {
        return requests("prefetch", prefetch);
    }

    public RabbitTestSettings inbound(DataSize bufferBytes, DataSize maxMessageSize) {
        return requests("bufferBytes", bufferBytes, "maxMessageSize", maxMessageSize);
    }

    public RabbitTestSettings answers(AnswerRoutingSettings answers) {
        return with("answers", answers);
    }

    public RabbitTestSettings declare(boolean enabled, QueueType type) {
        return with("declare", new QueueDeclaration(enabled, type));
    }

    public RabbitTestSettings heartbeat(Duration heartbeat) {
        return with("heartbeat", heartbeat);
    }

    public RabbitTestSettings tls(RabbitTlsSettings tls) {
        return with("tls", tls);
    }

    public RabbitTestSettings management(String uri) {
        return management(uri, Duration.ofSeconds(5));
    }

    public RabbitTestSettings management(String uri, Duration timeout) {
        return with("management", new ManagementApiSettings(List.of(ConnectionUri.parse(uri)), timeout));
    }

    public RabbitTestSettings maxMessageSize(long bytes) {
        return with("maxMessageSize", new DataSize(bytes));
    }

    public RabbitTestSettings confirmTimeout(Duration timeout) {
        return with("confirmTimeout", timeout);
    }

    public RabbitTestSettings userId(String userId) {
        return with("userId", userId);
    }

    /** Returns a copy with one queue for delayed retries. */
    public RabbitTestSettings delay(Duration delay) {
        return with("delayed", new DelayedRetrySettings(true, "", List.of(delay)));
    }

    /** Returns settings with this exchange of announcements. */
    public RabbitSettings clusterExchange(String exchange) {
        return with("cluster", new ClusterExchangeSettings(exchange)).settings();
    }

    private RabbitTestSettings requests(Object... changes) {
        return with("requests", RecordCopy.with(settings.requests(), changes));
    }

    private RabbitTestSettings with(Object... changes) {
        return new RabbitTestSettings(RecordCopy.with(settings, changes));
    }
}
