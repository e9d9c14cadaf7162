package io.iocluster.node.cli;

import io.iocluster.client.ClientEvents;
import io.iocluster.client.ClientFullPolicy;
import io.iocluster.client.EnvelopeClient;
import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.FileReadError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Puts requests on the queue. */
@Command(
        name = "send",
        description = "Puts envelopes on the queue, one JSON object a line; exits 0 if all were.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Commands.EXIT_CODES_HEADING,
        exitCodeList = {
            "0:Every envelope is on the queue and, with --wait, answered if that was waited for.",
            "1:Not every one is, or the broker cannot be reached.",
            "2:The command line or the configuration is wrong."
        })
final class SendCommand implements Callable<Integer> {

    private static final int MOST_OUTSTANDING = 5_000;

    private final Terminal terminal;
    private final BrokerAccess broker;

    @Mixin
    private ConfigOption config;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE.ndjson",
            description = "The envelopes; standard input if it is missing or -.")
    private Path file;

    @Option(
            names = "--wait",
            description =
                    "Waits for the answers and prints them; an envelope without an id is given one. Not waited for, but"
                            + " counted, are envelopes with a replyTo, or whose reply is failures or never.")
    private boolean wait;

    @Option(
            names = "--timeout",
            defaultValue = "60s",
            converter = DurationArgument.class,
            paramLabel = "DURATION",
            description =
                    "How long the broker may take to confirm an envelope and, with --wait, its answer to come (default: ${DEFAULT-VALUE}).")
    private Duration timeout;

    SendCommand(Terminal terminal, BrokerAccess broker) {
        this.terminal = terminal;
        this.broker = broker;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        NodeSettings settings = config.load(terminal.environment()).settings();
        try (InputStream in = input();
                EnvelopeClient calls = calls(settings)) {
            EnvelopeSender sending = new EnvelopeSender(calls, wait ? terminal.out() : null, terminal.err(), timeout);
            sending.send(in);
            terminal.err().println(sending.summary());
            return sending.isAllSent() ? Commands.EXIT_OK : Commands.EXIT_FAILURE;
        }
    }

    private InputStream input() throws IOException {
        if (file == null || file.toString().equals("-")) {
            return terminal.in();
        }
        try {
            InputStream in = Files.newInputStream(file);
            if (Files.isDirectory(file)) {
                in.close();
                throw new FileSystemException(file.toString());
            }
            return in;
        } catch (IOException unreadable) {
            throw new IOException(file + " cannot be read: " + FileReadError.reason(file, unreadable), unreadable);
        }
    }

    /** The answers are followed before anything is sent. */
    private EnvelopeClient calls(NodeSettings settings) throws IOException {
        AnswerConsumer answers = wait ? broker.openAnswerConsumer(settings) : null;
        try {
            return new EnvelopeClient(
                    broker.openRequestPublisher(settings),
                    answers,
                    MOST_OUTSTANDING,
                    ClientFullPolicy.BLOCK,
                    Runnable::run,
                    ClientEvents.NONE);
        } catch (IOException away) {
            if (answers != null) {
                answers.close();
            }
            throw away;
        }
    }
}
