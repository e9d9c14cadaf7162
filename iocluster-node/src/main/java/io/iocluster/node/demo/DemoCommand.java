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

/** Runs a broker, a target and a node, and sends calls through them. */
@Command(
        name = "demo",
        description =
                "Starts a broker, a target and a node, sends calls through and sums up; exits 0 if all were answered.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Commands.EXIT_CODES_HEADING,
        exitCodeList = {
            "0:Every call was answered.",
            "1:Not every call was, or the broker could not be started.",
            "2:The command line is wrong."
        })
final class DemoCommand implements Callable<Integer> {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

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
            description = "How many calls (default: ${DEFAULT-VALUE}).")
    private int requests;

    @Option(names = "--keep", description = "Stays up after the calls, until SIGINT.")
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
        try (SignalCleanup interruption = new SignalCleanup();
                DemoEnvironment stage = interruption.register(stage());
                Demo demo = interruption.register(new Demo(terminal, stage, broker))) {
            terminal.err().println("sending " + requests + " calls…");
            boolean answered = demo.send(requests, PATIENCE);
            if (keep) {
                keep(stage, demo);
            }
            return answered ? Commands.EXIT_OK : Commands.EXIT_FAILURE;
        }
    }

    private DemoEnvironment stage() throws IOException {
        return switch (transport) {
            case KAFKA -> KafkaDemoEnvironment.start();
            case RABBIT -> RabbitDemoEnvironment.start();
        };
    }

    private void keep(DemoEnvironment stage, Demo demo) throws InterruptedException {
        terminal.out().println();
        terminal.out().println("The demo stays up until it is interrupted. A configuration to use it with:");
        terminal.out().println();
        terminal.out().println(stage.nodeConfiguration());
        terminal.out().println("broker  " + stage.brokerAddress());
        terminal.out().println("target  " + stage.targetUrl());
        terminal.out().println("console " + demo.adminUrl() + "/");
        terminal.out().flush();
        new CountDownLatch(1).await();
    }
}
