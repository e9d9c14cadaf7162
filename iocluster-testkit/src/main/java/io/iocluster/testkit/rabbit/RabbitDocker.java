package io.iocluster.testkit.rabbit;

import io.iocluster.testkit.broker.RestartableContainer;
import io.iocluster.testkit.process.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;

/**
 * A RabbitMQ 4.x broker in a container. Requires Testcontainers on the class path. The host ports do not change over a
 * restart. Owned by the test that launched it; not thread-safe.
 */
public final class RabbitDocker implements RabbitBroker {

    private static final String IMAGE = "rabbitmq:4.2-management";
    private static final int BROKER_PORT = 5672;
    private static final int MANAGEMENT_PORT = 15672;
    private static final Duration STARTUP = Duration.ofMinutes(4);

    private final GenericContainer<?> container;
    private final RestartableContainer restartable;
    private final RabbitOptions options;
    private final int port;
    private final int managementPort;
    private final UnsavedQuorumQueues recentQueues = new UnsavedQuorumQueues();

    private RabbitDocker(
            GenericContainer<?> container,
            RestartableContainer restartable,
            RabbitOptions options,
            int port,
            int managementPort) {
        this.container = container;
        this.restartable = restartable;
        this.options = options;
        this.port = port;
        this.managementPort = managementPort;
    }

    /** Starts a broker and returns when it answers. */
    @SuppressWarnings("resource")
    public static RabbitDocker launch(RabbitOptions options) {
        int[] ports = FreePorts.find(2);
        GenericContainer<?> container = new GenericContainer<>(IMAGE)
                .withExposedPorts(BROKER_PORT, MANAGEMENT_PORT)
                .withCopyToContainer(
                        Transferable.of(options.settingsFile(Map.of())), "/etc/rabbitmq/conf.d/50-testkit.conf")
                .withCopyToContainer(Transferable.of(options.pluginsFile()), "/etc/rabbitmq/enabled_plugins")
                .waitingFor(Wait.forLogMessage(".*Server startup complete.*", 1).withStartupTimeout(STARTUP));
        RestartableContainer restartable =
                new RestartableContainer(container, Map.of(ports[0], BROKER_PORT, ports[1], MANAGEMENT_PORT));
        container.start();
        return new RabbitDocker(container, restartable, options, ports[0], ports[1]);
    }

    @Override
    public String uri() {
        return "amqp://guest:guest@" + container.getHost() + ":" + port;
    }

    @Override
    public URI managementUri() {
        if (!options.plugins().contains(RabbitOptions.MANAGEMENT)) {
            throw new IllegalStateException(RabbitOptions.MANAGEMENT + " is not enabled");
        }
        return URI.create("http://" + container.getHost() + ":" + managementPort);
    }

    @Override
    public void declareQueue(String name, Map<String, Object> arguments) {
        RabbitBroker.super.declareQueue(name, arguments);
        recentQueues.recordDeclared(arguments);
    }

    @Override
    public void start() {
        restartable.start();
        if (!RabbitAdmin.awaitReady(uri(), STARTUP, container::isRunning)) {
            throw new IllegalStateException("the broker did not start:\n" + container.getLogs());
        }
    }

    @Override
    public void stop() {
        restartable.stop();
    }

    @Override
    public void kill() {
        recentQueues.awaitPersisted();
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
    public String rabbitmqctl(String... arguments) {
        List<String> commandLine = new ArrayList<>(List.of("rabbitmqctl"));
        commandLine.addAll(List.of(arguments));
        try {
            ExecResult result = container.execInContainer(commandLine.toArray(String[]::new));
            if (result.getExitCode() != 0) {
                throw new IllegalStateException(
                        String.join(" ", commandLine) + " failed:\n" + result.getStdout() + result.getStderr());
            }
            return result.getStdout();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        container.stop();
    }
}
