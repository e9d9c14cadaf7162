package io.iocluster.testkit.rabbit;

import io.iocluster.testkit.process.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The files and environment of one RabbitMQ node, which isolate it from the system's installation and from other nodes.
 *
 * @param folder has the node's files, data and logs
 * @param nodeName such as {@code rabbit@localhost}
 * @param port the AMQP port
 * @param distributionPort the port for other nodes and {@code rabbitmqctl}
 * @param managementPort present if the management plugin is enabled
 */
record RabbitNodeConfig(Path folder, String nodeName, int port, int distributionPort, OptionalInt managementPort) {

    private static final Duration QUORUM_TICK = Duration.ofSeconds(1);

    /** Chooses ports and writes the files. */
    static RabbitNodeConfig create(Path folder, String nodeName, RabbitOptions options) {
        return create(folder, nodeName, FreePorts.find(1)[0], options);
    }

    /** Chooses the ports except that of AMQP, and writes the files. */
    static RabbitNodeConfig create(Path folder, String nodeName, int port, RabbitOptions options) {
        int[] ports = FreePorts.find(2);
        RabbitNodeConfig node = new RabbitNodeConfig(
                folder,
                nodeName,
                port,
                ports[0],
                options.plugins().contains(RabbitOptions.MANAGEMENT) ? OptionalInt.of(ports[1]) : OptionalInt.empty());
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("listeners.tcp.1", "127.0.0.1:" + node.port);
        settings.put("log.file", "false");
        settings.put("log.console", "true");
        settings.put("log.console.level", "info");
        node.managementPort.ifPresent(management -> {
            settings.put("management.tcp.ip", "127.0.0.1");
            settings.put("management.tcp.port", Integer.toString(management));
        });
        try {
            Files.createDirectories(folder);
            Files.writeString(node.settingsFile(), options.settingsFile(settings));
            Files.writeString(node.pluginsFile(), options.pluginsFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return node;
    }

    URI managementUri() {
        return URI.create("http://127.0.0.1:"
                + managementPort.orElseThrow(
                        () -> new IllegalStateException(RabbitOptions.MANAGEMENT + " is not enabled")));
    }

    /**
     * Returns the variables for server and {@code rabbitmqctl}, in addition to {@link ErlangEnvironment#environment}.
     */
    Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("RABBITMQ_NODENAME", nodeName);
        environment.put("RABBITMQ_NODE_PORT", Integer.toString(port));
        environment.put("RABBITMQ_DIST_PORT", Integer.toString(distributionPort));
        environment.put("RABBITMQ_CONF_ENV_FILE", folder.resolve("none.conf").toString());
        environment.put("RABBITMQ_CONFIG_FILE", settingsFile().toString());
        environment.put(
                "RABBITMQ_ADVANCED_CONFIG_FILE", folder.resolve("none.config").toString());
        environment.put("RABBITMQ_ENABLED_PLUGINS_FILE", pluginsFile().toString());
        environment.put("RABBITMQ_MNESIA_BASE", folder.resolve("data").toString());
        environment.put("RABBITMQ_LOG_BASE", folder.resolve("log").toString());
        environment.put("ERL_CRASH_DUMP", folder.resolve("crash.dump").toString());
        environment.put("RABBITMQ_PID_FILE", folder.resolve("pid").toString());
        // The script executes the server in its own process instead of waiting for it.
        environment.put("RABBITMQ_ALLOW_INPUT", "true");
        // The tick updates what rabbitmqctl says about a quorum queue. With the default of 5 s, tests wait for outdated
        // numbers. RabbitMQ 3.10 ends a new queue whose first tick comes before its first write to the disk.
        environment.put(
                "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS",
                "-noinput -start_epmd false -kernel inet_dist_use_interface {127,0,0,1} -rabbit quorum_tick_interval "
                        + QUORUM_TICK.toMillis());
        // Bound to CPUs, the first schedulers of all brokers share one CPU, and the others idle.
        environment.put("RABBITMQ_SCHEDULER_BIND_TYPE", "u");
        // The tables of the default size take a second to allocate.
        environment.put("RABBITMQ_MAX_NUMBER_OF_PROCESSES", "65536");
        environment.put("RABBITMQ_MAX_NUMBER_OF_ATOMS", "1048576");
        environment.put("RABBITMQ_CTL_DIST_PORT_MIN", "0");
        environment.put("RABBITMQ_CTL_DIST_PORT_MAX", "0");
        return environment;
    }

    private Path settingsFile() {
        return folder.resolve("rabbitmq.conf");
    }

    private Path pluginsFile() {
        return folder.resolve("enabled_plugins");
    }
}
