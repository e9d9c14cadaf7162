package io.iocluster.lab.demo;

import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
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
                "Starts a broker, a target and a node, sends calls and prints a summary; exits 0 if all were answered.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:Every call was answered.",
            "1:A call was not answered, or the broker could not be started.",
            "2:The command line is wrong."
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

    @Option(names = "--keep", description = "Keeps running after the calls, until SIGINT.")
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
        terminal.err().println("Starting a broker (" + transport.wireName() + ") and a target…");
        try (SignalCleanup cleanup = new SignalCleanup();
                DemoEnvironment environment = cleanup.register(startEnvironment());
                Demo demo = cleanup.register(new Demo(terminal, environment, broker))) {
            terminal.err().println("Sending " + requests + " calls…");
            boolean answered = demo.send(requests, ANSWER_TIMEOUT);
            if (keep) {
                awaitInterrupt(environment, demo);
            }
            return answered ? ExitCode.OK : ExitCode.FAILURE;
        }
    }

    private DemoEnvironment startEnvironment() throws IOException {
        return switch (transport) {
            case KAFKA -> DemoEnvironment.startKafka();
            case RABBIT -> DemoEnvironment.startRabbit();
        };
    }

    private void awaitInterrupt(DemoEnvironment environment, Demo demo) throws InterruptedException {
        terminal.out().println();
        terminal.out().println("The demo runs until you interrupt it. Use this configuration for another node:");
        terminal.out().println();
        terminal.out().println(environment.nodeConfiguration());
        terminal.out().println("broker  " + environment.brokerAddress());
        terminal.out().println("target  " + environment.targetUrl());
        terminal.out().println("console " + demo.adminUrl() + "/");
        terminal.out().flush();
        new CountDownLatch(1).await();
    }
}
