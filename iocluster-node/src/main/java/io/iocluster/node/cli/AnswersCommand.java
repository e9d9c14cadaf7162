package io.iocluster.node.cli;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.config.NodeSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Follows the answers. */
@Command(
        name = "answers",
        description =
                "Prints each answer as a line of JSON. On Kafka and on a RabbitMQ exchange it prints new answers only. From a"
                        + " RabbitMQ queue it also consumes the answers that are already there, so that no other consumer gets"
                        + " them.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Commands.EXIT_CODES_HEADING,
        exitCodeList = {
            "0:The reader of the output closed it.",
            "1:The broker cannot be reached.",
            "2:The command line or the configuration is wrong."
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
        PrintStream out = terminal.out();
        try (AnswerConsumer feed = broker.openAnswerConsumer(settings)) {
            // The reader going away, as `| head` does, is the usual end besides a signal.
            while (!out.checkError()) {
                feed.poll(POLL, answer -> {
                    out.write(answer, 0, answer.length);
                    out.write('\n');
                    return true;
                });
            }
        }
        return Commands.EXIT_OK;
    }
}
