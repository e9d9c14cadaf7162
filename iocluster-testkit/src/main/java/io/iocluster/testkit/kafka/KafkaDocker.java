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
 * A broker as a container, by Testcontainers, which is needed on the class path only where this class is used. The host's
 * port is fixed, so that it stays the same over a restart. Owned by whoever launched it.
 */
public final class KafkaDocker implements KafkaBroker {

    private static final int BROKER_PORT = 9092;
    private static final Duration STARTUP = Duration.ofSeconds(90);

    private final KafkaContainer container;
    private final RestartableContainer box;
    private final int port;

    private KafkaDocker(KafkaContainer container, RestartableContainer box, int port) {
        this.container = container;
        this.box = box;
        this.port = port;
    }

    /**
     * Starts a broker of the same version as the client's and returns when it answers.
     *
     * @param properties added to the broker's configuration, or replacing what it has
     */
    @SuppressWarnings("resource")
    public static KafkaDocker launch(Map<String, String> properties) {
        int port = FreePorts.find(1)[0];
        KafkaContainer container = new KafkaContainer("apache/kafka:" + clientVersion());
        KafkaServerProperties.commonProperties().forEach((name, value) -> container.withEnv(variable(name), value));
        properties.forEach((name, value) -> container.withEnv(variable(name), value));
        RestartableContainer box = new RestartableContainer(container, Map.of(port, BROKER_PORT));
        container.start();
        return new KafkaDocker(container, box, port);
    }

    @Override
    public String bootstrapServers() {
        return container.getHost() + ":" + port;
    }

    @Override
    public void start() {
        box.start();
        if (!KafkaAdmin.awaitReady(container.getHost(), port, STARTUP, container::isRunning)) {
            throw new IllegalStateException("the broker did not start:\n" + container.getLogs());
        }
    }

    @Override
    public void stop() {
        box.stop();
    }

    @Override
    public void kill() {
        box.kill();
    }

    @Override
    public void pause() {
        box.pause();
    }

    @Override
    public void unpause() {
        box.unpause();
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
