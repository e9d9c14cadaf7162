package io.iocluster.node.cli;

import io.iocluster.node.BrokerAccess;
import io.iocluster.node.config.NodeSettings.TransportKind;
import io.iocluster.node.demo.Demo;
import io.iocluster.node.demo.DemoStage;
import io.iocluster.node.demo.KafkaStage;
import io.iocluster.node.demo.RabbitStage;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows a whole cluster at work. */
@Command(
        name = "demo",
        description =
                "Starts a broker, a target and a node, sends calls through and sums up; exits 0 if all were answered.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Commands.EXIT_CODES,
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
        terminal.err().println("starting a " + transport.word() + " broker and a target…");
        try (Interruption interruption = new Interruption();
                DemoStage stage = interruption.guard(stage());
                Demo demo = interruption.guard(new Demo(terminal, stage, broker))) {
            terminal.err().println("sending " + requests + " calls…");
            boolean answered = demo.send(requests, PATIENCE);
            if (keep) {
                keep(stage, demo);
            }
            return answered ? Commands.DONE : Commands.FAILED;
        }
    }

    private DemoStage stage() throws IOException {
        return switch (transport) {
            case KAFKA -> KafkaStage.start();
            case RABBIT -> RabbitStage.start();
        };
    }

    private void keep(DemoStage stage, Demo demo) throws InterruptedException {
        terminal.out().println();
        terminal.out().println("The demo stays up until it is interrupted. A configuration to use it with:");
        terminal.out().println();
        terminal.out().println(stage.configuration());
        terminal.out().println("broker  " + stage.broker());
        terminal.out().println("target  " + stage.url());
        terminal.out().println("console " + demo.adminUrl() + "/");
        terminal.out().flush();
        new CountDownLatch(1).await();
    }
}
