package io.iocluster.testkit.broker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import io.iocluster.testkit.process.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;

/**
 * A broker as a container, by Testcontainers, which is needed on the class path only where this class is used. The host's
 * port is fixed, so that it stays the same over a restart. Owned by whoever launched it.
 */
public final class KafkaDocker implements KafkaBroker {

    private static final int BROKER_PORT = 9092;
    private static final Duration STARTUP = Duration.ofSeconds(90);
    private static final int STOP_SECONDS = 30;

    private final KafkaContainer container;
    private final int port;

    private KafkaDocker(KafkaContainer container, int port) {
        this.container = container;
        this.port = port;
    }

    /** Whether Testcontainers is here and Docker runs. */
    public static boolean isAvailable() {
        try {
            return DockerClientFactory.instance().isDockerAvailable();
        } catch (NoClassDefFoundError absent) {
            return false;
        }
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
        BrokerProperties.common().forEach((name, value) -> container.withEnv(variable(name), value));
        properties.forEach((name, value) -> container.withEnv(variable(name), value));
        container.withCreateContainerCmdModifier(create -> {
            HostConfig host = create.getHostConfig() == null ? HostConfig.newHostConfig() : create.getHostConfig();
            create.withHostConfig(host.withPortBindings(PortBinding.parse("127.0.0.1:" + port + ":" + BROKER_PORT)));
        });
        container.start();
        return new KafkaDocker(container, port);
    }

    @Override
    public String bootstrapServers() {
        return container.getHost() + ":" + port;
    }

    @Override
    public void start() {
        docker().startContainerCmd(container.getContainerId()).exec();
        if (!BrokerAdmin.awaitAnswer(container.getHost(), port, STARTUP, container::isRunning)) {
            throw new IllegalStateException("the broker did not start:\n" + container.getLogs());
        }
    }

    @Override
    public void stop() {
        docker().stopContainerCmd(container.getContainerId())
                .withTimeout(STOP_SECONDS)
                .exec();
    }

    @Override
    public void kill() {
        docker().killContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void pause() {
        docker().pauseContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void unpause() {
        docker().unpauseContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void close() {
        container.stop();
    }

    private DockerClient docker() {
        return container.getDockerClient();
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
