package io.iocluster.testkit.rabbit;

import io.iocluster.testkit.process.NativeCommand;
import io.iocluster.testkit.process.NativeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs {@code rabbitmqctl}. Stateless. */
final class RabbitmqctlCommand {

    /** As long as a broker may take to start, because the command starts a virtual machine too. */
    private static final Duration TIMEOUT = RabbitProcess.STARTUP;

    private RabbitmqctlCommand() {}

    /**
     * Runs {@code rabbitmqctl} and returns its output.
     *
     * @param environment selects the node
     * @param folder for a temporary file with the output
     * @throws IllegalStateException if it fails or does not end in time
     */
    static String run(Map<String, String> environment, Path folder, String... arguments) {
        List<String> commandLine =
                new ArrayList<>(List.of(RabbitScripts.find("rabbitmqctl").toString()));
        commandLine.addAll(List.of(arguments));
        try {
            Path output = Files.createTempFile(folder, "control", ".log");
            try (NativeProcess process = NativeProcess.start(new NativeCommand(commandLine, environment, output))) {
                boolean ended = process.awaitExit(TIMEOUT);
                String text = Files.readString(output);
                if (!ended || process.exitCode() != 0) {
                    throw new IllegalStateException(String.join(" ", commandLine) + " failed:\n" + text);
                }
                return text;
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
