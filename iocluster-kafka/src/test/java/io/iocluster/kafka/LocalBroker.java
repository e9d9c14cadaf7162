package io.iocluster.kafka;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.Awaitility;

/** A one-node broker in a process of its own, in KRaft mode, on a port of its own; it can be stopped and started again. */
final class LocalBroker implements AutoCloseable {

    private final Path directory;
    private final int port;
    private Process process;

    private LocalBroker(Path directory, int port) {
        this.directory = directory;
        this.port = port;
    }

    static LocalBroker start(String... formatOptions) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("iocluster-kafka-it");
        LocalBroker broker = new LocalBroker(directory, freePort());
        Files.writeString(broker.file("server.properties"), broker.configuration(freePort()));
        Files.writeString(broker.file("logback.xml"), """
                <configuration>
                  <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
                    <encoder><pattern>%d %-5level %logger{0} %msg%n</pattern></encoder>
                  </appender>
                  <root level="WARN"><appender-ref ref="console"/></root>
                </configuration>
                """);
        List<String> format = new ArrayList<>(List.of(
                "kafka.tools.StorageTool",
                "format",
                "-t",
                "MkU3OEVBNTcwNTJENDM2Qg",
                "-c",
                broker.file("server.properties").toString()));
        format.addAll(List.of(formatOptions));
        Process formatting = broker.java(format);
        if (!formatting.waitFor(60, TimeUnit.SECONDS) || formatting.exitValue() != 0) {
            throw new IOException("not formatted: " + Files.readString(broker.file("broker.log")));
        }
        broker.up();
        return broker;
    }

    String bootstrap() {
        return "127.0.0.1:" + port;
    }

    void up() throws IOException {
        process = java(List.of("kafka.Kafka", file("server.properties").toString()));
        Awaitility.await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
            try (Admin admin = Admin.create(Map.of(
                    "bootstrap.servers", bootstrap(), "default.api.timeout.ms", 2_000, "request.timeout.ms", 1_000))) {
                return !admin.describeCluster().nodes().get().isEmpty();
            }
        });
    }

    void down() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private Path file(String name) {
        return directory.resolve(name);
    }

    private String configuration(int controllerPort) {
        return """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%d
                controller.listener.names=CONTROLLER
                listeners=BROKER://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d
                advertised.listeners=BROKER://127.0.0.1:%d
                inter.broker.listener.name=BROKER
                listener.security.protocol.map=BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT
                log.dirs=%s
                auto.create.topics.enable=false
                offsets.topic.num.partitions=2
                offsets.topic.replication.factor=1
                transaction.state.log.num.partitions=2
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                group.initial.rebalance.delay.ms=0
                group.consumer.heartbeat.interval.ms=500
                group.consumer.min.heartbeat.interval.ms=500
                log.cleaner.backoff.ms=200
                log.cleaner.dedupe.buffer.size=4194304
                """.formatted(controllerPort, port, controllerPort, port, file("data"));
    }

    private Process java(List<String> arguments) throws IOException {
        Predicate<String> own = entry -> !entry.endsWith("classes");
        String path = Stream.of(System.getProperty("java.class.path").split(":"))
                .filter(own)
                .collect(Collectors.joining(":"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-Dlogback.configurationFile=" + file("logback.xml"),
                "-cp",
                path));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(file("broker.log").toFile()))
                .start();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted((a, b) -> b.compareTo(a)).forEach(path -> path.toFile().delete());
        } catch (IOException left) {
            throw new java.io.UncheckedIOException(left);
        }
    }
}
