package io.iocluster.node.cli;

import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.broker.ConfiguredBrokerAccess;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.thread.Platform;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;

/** The result of a command that ran in this process. */
public record CommandRun(int code, String out, String err) {

    /** Runs the command with this standard input and environment. */
    public static CommandRun of(String input, Map<String, String> environment, String... arguments) {
        return startedAt(Instant.now(), input, environment, arguments);
    }

    /** Like {@link #of}, but the user started the command at this time. */
    static CommandRun startedAt(Instant start, String input, Map<String, String> environment, String... arguments) {
        return with(new ConfiguredBrokerAccess(start, Platform.system()), input, environment, arguments);
    }

    /** Like {@link #of}, but with this broker. */
    static CommandRun with(BrokerAccess broker, String input, Map<String, String> environment, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                environment,
                false,
                false);
        int code = Commands.run(terminal, broker, arguments);
        return new CommandRun(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
