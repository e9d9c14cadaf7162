package io.iocluster.node.cli;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.cli.terminal.ConfigOption;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.config.NodeSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints answers as they arrive. */
@Command(
        name = "answers",
        description =
                "Prints each answer as one line of JSON. From Kafka, or from a RabbitMQ exchange, it prints the answers"
                        + " that are published from now on. From a RabbitMQ queue it consumes all answers, and other"
                        + " consumers do not receive them.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:The output was closed.",
            "1:The broker cannot be reached.",
            "2:The command line or the configuration is invalid."
        })
final class AnswersCommand implements Callable<Integer> {

    private static final Duration POLL = Duration.ofMillis(500);

    private final Terminal terminal;
    private final BrokerAccess broker;

    @Mixin
    private ConfigOption config;

    AnswersCommand(Terminal terminal, BrokerAccess broker) {
        this.terminal = terminal;
        this.broker = broker;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        NodeSettings settings = config.load(terminal.environment()).settings();
        broker.requireReachable(settings);
        PrintStream out = terminal.out();
        try (AnswerConsumer feed = broker.openAnswerConsumer(settings)) {
            // Besides a signal, the command usually ends because the reader closes the pipe, as `| head` does.
            while (!out.checkError()) {
                feed.poll(POLL, answer -> {
                    out.write(answer, 0, answer.length);
                    out.write('\n');
                    return true;
                });
            }
        }
        return ExitCode.OK;
    }
}
