package io.iocluster.node.cli;

import io.iocluster.client.ClientEvents;
import io.iocluster.client.ClientFullPolicy;
import io.iocluster.client.EnvelopeClient;
import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.cli.terminal.ConfigOption;
import io.iocluster.node.cli.terminal.DurationArgument;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.InputFile;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Enqueues envelopes. */
@Command(
        name = "send",
        description = "Puts envelopes on the queue. Each line of the input is one JSON object.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:All envelopes are on the queue and, with --wait, all awaited answers arrived.",
            "1:Some envelopes were not enqueued or not answered, or the broker cannot be reached.",
            "2:The command line or the configuration is invalid."
        })
final class SendCommand implements Callable<Integer> {

    private static final int MAX_OUTSTANDING = 5_000;

    private final Terminal terminal;
    private final BrokerAccess broker;

    @Mixin
    private ConfigOption config;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE.ndjson",
            description = "File with the envelopes; standard input if it is omitted or -.")
    private Path file;

    @Option(
            names = "--wait",
            description = "Wait for the answers and print them. An envelope without an id gets one. Envelopes with a"
                    + " replyTo, or with reply failures or never, are counted but not waited for.")
    private boolean wait;

    @Option(
            names = "--timeout",
            defaultValue = "60s",
            converter = DurationArgument.class,
            paramLabel = "DURATION",
            description =
                    "Maximum time for the broker to confirm an envelope and, with --wait, for its answer to arrive"
                            + " (default: ${DEFAULT-VALUE}).")
    private Duration timeout;

    SendCommand(Terminal terminal, BrokerAccess broker) {
        this.terminal = terminal;
        this.broker = broker;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        NodeSettings settings = config.load(terminal.environment()).settings();
        try (InputStream in = InputFile.open(file, terminal)) {
            broker.requireReachable(settings);
            return send(in, settings);
        }
    }

    private int send(InputStream in, NodeSettings settings) throws IOException, InterruptedException {
        try (EnvelopeClient calls = calls(settings)) {
            EnvelopeSender sender = new EnvelopeSender(calls, wait ? terminal.out() : null, terminal.err(), timeout);
            sender.send(in);
            terminal.err().println(sender.summary());
            return sender.isAllSent() ? ExitCode.OK : ExitCode.FAILURE;
        }
    }

    /** Opens the consumer of answers first, so that it misses none. */
    private EnvelopeClient calls(NodeSettings settings) throws IOException {
        AnswerConsumer answers = wait ? broker.openAnswerConsumer(settings) : null;
        try {
            return new EnvelopeClient(
                    broker.openRequestPublisher(settings),
                    answers,
                    MAX_OUTSTANDING,
                    ClientFullPolicy.BLOCK,
                    Runnable::run,
                    ClientEvents.NONE,
                    Platform.system());
        } catch (IOException unreachable) {
            if (answers != null) {
                answers.close();
            }
            throw unreachable;
        }
    }
}
