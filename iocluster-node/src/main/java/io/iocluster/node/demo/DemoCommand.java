package io.iocluster.node.demo;

import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.cli.Commands;
import io.iocluster.node.cli.Terminal;
import io.iocluster.node.config.NodeSettings.TransportKind;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a demo of a whole cluster. */
@Command(
        name = "demo",
        description = "Starts a broker, a target and a node, sends calls through them and prints a summary.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Commands.EXIT_CODES_HEADING,
        exitCodeList = {
            "0:All calls were answered.",
            "1:Some calls were not answered, or the broker did not start.",
            "2:The command line is invalid."
        })
final class DemoCommand implements Callable<Integer> {

    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);

    private final Terminal terminal;
    private final BrokerAccess broker;

    @Spec
    private CommandSpec spec;

    @Option(names = "--transport", defaultValue = "kafka", description = "kafka or rabbit (default: ${DEFAULT-VALUE}).")
    private TransportKind transport;

    @Option(
            names = "--requests",
            defaultValue = "20000",
            paramLabel = "N",
            description = "Number of calls (default: ${DEFAULT-VALUE}).")
    private int requests;

    @Option(names = "--keep", description = "Keep everything running after the calls, until SIGINT.")
    private boolean keep;

    DemoCommand(Terminal terminal, BrokerAccess broker) {
        this.terminal = terminal;
        this.broker = broker;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (requests < 1 || requests > 10_000_000) {
            throw new ParameterException(spec.commandLine(), "--requests must be from 1 to 10000000: " + requests);
        }
        terminal.err().println("starting a " + transport.wireName() + " broker and a target…");
        try (SignalCleanup cleanup = new SignalCleanup();
                DemoEnvironment environment = cleanup.register(environment());
                Demo demo = cleanup.register(new Demo(terminal, environment, broker))) {
            terminal.err().println("sending " + requests + " calls…");
            boolean answered = demo.send(requests, ANSWER_TIMEOUT);
            if (keep) {
                keep(environment, demo);
            }
            return answered ? Commands.EXIT_OK : Commands.EXIT_FAILURE;
        }
    }

    private DemoEnvironment environment() throws IOException {
        return switch (transport) {
            case KAFKA -> KafkaDemoEnvironment.start();
            case RABBIT -> RabbitDemoEnvironment.start();
        };
    }

    private void keep(DemoEnvironment environment, Demo demo) throws InterruptedException {
        terminal.out().println();
        terminal.out().println("The demo runs until you interrupt it. You can use it with this configuration:");
        terminal.out().println();
        terminal.out().println(environment.nodeConfiguration());
        terminal.out().println("broker  " + environment.brokerAddress());
        terminal.out().println("target  " + environment.targetUrl());
        terminal.out().println("console " + demo.adminUrl() + "/");
        terminal.out().flush();
        new CountDownLatch(1).await();
    }
}
