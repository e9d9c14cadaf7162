package io.iocluster.testkit.rabbit;

import io.iocluster.testkit.process.ChildProcess;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.process.NativeCommand;
import io.iocluster.testkit.process.NativeProcess;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A RabbitMQ broker in a child process. It uses the installation that the system property {@value #SCRIPTS_PROPERTY} names, else
 * Debian's, else the one on the {@code PATH}. Owned by the test that launched it; not thread-safe.
 */
public final class RabbitProcess implements RabbitBroker {

    /** The system property with the folder of {@code rabbitmq-server} and {@code rabbitmqctl}. */
    public static final String SCRIPTS_PROPERTY = "iocluster.rabbitmq.scripts";

    static final Duration STARTUP = Duration.ofMinutes(4);
    private static final Duration SHUTDOWN = Duration.ofSeconds(30);

    private final ErlangEnvironment erlang;
    private final RabbitNodeConfig configuration;
    private final UnsavedQuorumQueues recentQueues;
    private final Runnable onClose;
    private ChildProcess process;

    /**
     * Creates a node without starting it.
     *
     * @param recentQueues shared by all nodes of the cluster
     * @param onClose closes the Erlang environment if no other node uses it
     */
    RabbitProcess(
            ErlangEnvironment erlang,
            RabbitNodeConfig configuration,
            UnsavedQuorumQueues recentQueues,
            Runnable onClose) {
        this.erlang = erlang;
        this.configuration = configuration;
        this.recentQueues = recentQueues;
        this.onClose = onClose;
    }

    /** Returns whether RabbitMQ is installed. */
    public static boolean isAvailable() {
        return RabbitScripts.folder().isPresent();
    }

    /** Starts a broker and returns when it answers. */
    public static RabbitProcess launch() {
        return launch(RabbitOptions.DEFAULT);
    }

    /** Starts a broker and returns when it answers. */
    public static RabbitProcess launch(RabbitOptions options) {
        return launch(FreePorts.find(1)[0], options);
    }

    /** Starts a broker on a port and returns when it answers. */
    public static RabbitProcess launch(int port, RabbitOptions options) {
        ErlangEnvironment erlang = new ErlangEnvironment();
        try {
            RabbitNodeConfig configuration =
                    RabbitNodeConfig.create(erlang.resolve("rabbit"), "rabbit@localhost", port, options);
            RabbitProcess broker = new RabbitProcess(erlang, configuration, new UnsavedQuorumQueues(), erlang::close);
            broker.start();
            return broker;
        } catch (RuntimeException e) {
            erlang.close();
            throw e;
        }
    }

    @Override
    public String uri() {
        return "amqp://guest:guest@127.0.0.1:" + configuration.port();
    }

    @Override
    public URI managementUri() {
        return configuration.managementUri();
    }

    /** Returns the Erlang node name, such as {@code rabbit@localhost}. */
    public String nodeName() {
        return configuration.nodeName();
    }

    /** Returns the process id, for measurements. */
    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void declareQueue(String name, Map<String, Object> arguments) {
        RabbitBroker.super.declareQueue(name, arguments);
        recentQueues.recordDeclared(arguments);
    }

    @Override
    public void start() {
        startProcess();
        awaitStarted();
    }

    /** The first half of {@link #start}, for nodes that start at the same time. */
    void startProcess() {
        if (process != null && process.isAlive()) {
            throw new IllegalStateException("already running");
        }
        process = NativeProcess.start(new NativeCommand(
                List.of(RabbitScripts.find("rabbitmq-server").toString()),
                environment(),
                configuration.folder().resolve("broker.log")));
    }

    void awaitStarted() {
        if (!RabbitAdmin.awaitReady(uri(), STARTUP, process::isAlive)) {
            String log = process.logTail(80);
            process.kill();
            throw new IllegalStateException("the broker did not start:\n" + log);
        }
    }

    @Override
    public void stop() {
        process.terminate(SHUTDOWN);
    }

    @Override
    public void kill() {
        recentQueues.awaitPersisted();
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
    public String eval(String expression) {
        return ErlCallCommand.find()
                .map(program ->
                        ErlCallCommand.run(program, configuration.distributionPort(), erlang.cookie(), expression))
                .orElseGet(() -> RabbitBroker.super.eval(expression));
    }

    @Override
    public String rabbitmqctl(String... arguments) {
        return RabbitmqctlCommand.run(environment(), configuration.folder(), arguments);
    }

    @Override
    public void close() {
        if (process != null) {
            process.kill();
        }
        onClose.run();
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>(erlang.environment());
        environment.putAll(configuration.environment());
        return environment;
    }
}
