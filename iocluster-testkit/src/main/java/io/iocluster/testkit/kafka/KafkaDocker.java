package io.iocluster.testkit.kafka;

import io.iocluster.testkit.broker.RestartableContainer;
import io.iocluster.testkit.process.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.testcontainers.kafka.KafkaContainer;

/**
 * A Kafka broker in a container. Requires Testcontainers on the class path. The host port is fixed, so that it does not
 * change over a restart. Owned by the test that launched it; not thread-safe.
 */
public final class KafkaDocker implements KafkaBroker {

    private static final int BROKER_PORT = 9092;
    private static final Duration STARTUP = Duration.ofMinutes(4);

    private final KafkaContainer container;
    private final RestartableContainer restartable;
    private final int port;

    private KafkaDocker(KafkaContainer container, RestartableContainer restartable, int port) {
        this.container = container;
        this.restartable = restartable;
        this.port = port;
    }

    /**
     * Starts a broker of the client's version and returns when it answers.
     *
     * @param properties override the broker's configuration
     */
    @SuppressWarnings("resource")
    public static KafkaDocker launch(Map<String, String> properties) {
        int port = FreePorts.find(1)[0];
        KafkaContainer container = new KafkaContainer("apache/kafka:" + clientVersion());
        KafkaServerProperties.commonProperties().forEach((name, value) -> container.withEnv(variable(name), value));
        properties.forEach((name, value) -> container.withEnv(variable(name), value));
        RestartableContainer restartable = new RestartableContainer(container, Map.of(port, BROKER_PORT));
        container.start();
        return new KafkaDocker(container, restartable, port);
    }

    @Override
    public String bootstrapServers() {
        return container.getHost() + ":" + port;
    }

    @Override
    public void start() {
        restartable.start();
        if (!KafkaAdmin.awaitReady(container.getHost(), port, STARTUP, container::isRunning)) {
            throw new IllegalStateException("the broker did not start:\n" + container.getLogs());
        }
    }

    @Override
    public void stop() {
        restartable.stop();
    }

    @Override
    public void kill() {
        restartable.kill();
    }

    @Override
    public void pause() {
        restartable.pause();
    }

    @Override
    public void unpause() {
        restartable.unpause();
    }

    @Override
    public void close() {
        container.stop();
    }

    private static String clientVersion() {
        try (InputStream in = Admin.class.getResourceAsStream("/kafka/kafka-version.properties")) {
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String variable(String property) {
        return "KAFKA_" + property.toUpperCase(Locale.ROOT).replace('.', '_');
    }
}
