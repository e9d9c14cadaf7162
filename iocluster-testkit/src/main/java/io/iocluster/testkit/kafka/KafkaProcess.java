package io.iocluster.testkit.kafka;

import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.process.JavaCommand;
import io.iocluster.testkit.process.JavaProcess;
import io.iocluster.testkit.process.TempDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * A Kafka broker in a child JVM, in KRaft mode. Its class path is that of this JVM unless the system property {@value
 * #CLASS_PATH_PROPERTY} sets another, such as {@code lib/broker/*}. Owned by the test that launched it; not
 * thread-safe.
 */
public final class KafkaProcess implements KafkaBroker {

    /** The system property with the broker's class path; the default is that of this JVM. */
    public static final String CLASS_PATH_PROPERTY = "iocluster.broker.classpath";

    private static final Duration STARTUP = Duration.ofMinutes(4);
    private static final Duration SHUTDOWN = Duration.ofSeconds(30);
    private static final List<String> JVM_FLAGS = List.of(
            "-Xmx512m",
            "-XX:+UseParallelGC",
            "-Djava.net.preferIPv4Stack=true",
            JavaCommand.QUIET_LOGGING_FLAG,
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");

    private final TempDirectory folder;
    private final int port;
    private final Path configuration;
    private final List<String> jvmFlags;
    private JavaProcess process;

    private KafkaProcess(TempDirectory folder, int port, Path configuration, List<String> jvmFlags) {
        this.folder = folder;
        this.port = port;
        this.configuration = configuration;
        this.jvmFlags = jvmFlags;
    }

    /** Starts a broker and returns when it answers. */
    public static KafkaProcess launch() {
        return launch(Map.of());
    }

    /**
     * Starts a broker and returns when it answers.
     *
     * @param properties override the broker's configuration
     */
    public static KafkaProcess launch(Map<String, String> properties) {
        return launch(FreePorts.find(1)[0], properties);
    }

    /**
     * Starts a broker and returns when it answers.
     *
     * @param port its port on 127.0.0.1
     * @param properties override the broker's configuration
     */
    public static KafkaProcess launch(int port, Map<String, String> properties) {
        int controllerPort = FreePorts.find(1)[0];
        return start(create(port, KafkaServerProperties.controllerProperties(port, controllerPort), properties));
    }

    /**
     * Starts a broker with more listeners and returns when it answers.
     *
     * @param port its port on 127.0.0.1 for clients without TLS and login
     * @param listeners the port on 127.0.0.1 of each further listener, by name
     * @param properties override the broker's configuration; {@code listener.security.protocol.map} has an entry for each
     *     further listener, without those of {@code PLAINTEXT} and {@code CONTROLLER}
     * @param systemProperties of the broker's JVM
     */
    public static KafkaProcess launch(
            int port,
            Map<String, Integer> listeners,
            Map<String, String> properties,
            Map<String, String> systemProperties) {
        int controllerPort = FreePorts.find(1)[0];
        Map<String, String> all = KafkaServerProperties.withListeners(properties, listeners, port, controllerPort);
        List<String> jvmFlags = Stream.concat(
                        JVM_FLAGS.stream(),
                        systemProperties.entrySet().stream()
                                .map(property -> "-D" + property.getKey() + "=" + property.getValue()))
                .toList();
        return start(create(port, KafkaServerProperties.controllerProperties(port, controllerPort), all, jvmFlags));
    }

    private static KafkaProcess start(KafkaProcess broker) {
        try {
            broker.start();
            return broker;
        } catch (RuntimeException e) {
            broker.folder.close();
            throw e;
        }
    }

    /**
     * Creates a broker without starting it.
     *
     * @param overrides override {@code properties}
     */
    static KafkaProcess create(int port, Map<String, String> properties, Map<String, String> overrides) {
        return create(port, properties, overrides, JVM_FLAGS);
    }

    private static KafkaProcess create(
            int port, Map<String, String> properties, Map<String, String> overrides, List<String> jvmFlags) {
        TempDirectory folder = new TempDirectory("kafka");
        Properties all = new Properties();
        all.putAll(properties);
        all.put("log.dirs", folder.resolve("data").toString());
        all.putAll(overrides);
        Path configuration = folder.resolve("server.properties");
        write(all, configuration);
        return new KafkaProcess(folder, port, configuration, jvmFlags);
    }

    @Override
    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    /** Returns the process id, for measurements. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether the process runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void start() {
        startProcess();
        awaitStarted();
    }

    /** The first half of {@link #start}, for brokers that start at the same time. */
    void startProcess() {
        if (process != null && process.isAlive()) {
            throw new IllegalStateException("already running");
        }
        String classPath = System.getProperty(CLASS_PATH_PROPERTY, JavaCommand.classPathFor(kafka.Kafka.class));
        process = JavaProcess.start(new JavaCommand(
                classPath,
                jvmFlags,
                KafkaProcessMain.class.getName(),
                List.of(configuration.toString()),
                folder.resolve("broker.log")));
    }

    /** The second half of {@link #start}. */
    void awaitStarted() {
        if (!KafkaAdmin.awaitReady("127.0.0.1", port, STARTUP, process::isAlive)) {
            String log = process.logTail(40);
            process.kill();
            throw new IllegalStateException("the broker did not start:\n" + log);
        }
        process.archiveClasses();
    }

    @Override
    public void stop() {
        process.terminate(SHUTDOWN);
    }

    @Override
    public void kill() {
        process.kill();
    }

    @Override
    public void pause() {
        process.suspend();
    }

    @Override
    public void unpause() {
        process.resume();
    }

    @Override
    public void close() {
        if (process != null) {
            process.kill();
        }
        folder.close();
    }

    private static void write(Properties properties, Path file) {
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
