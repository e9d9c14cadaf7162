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

/** Runs {@code rabbitmqctl} to its end. Has no state. */
final class RabbitmqctlCommand {

    private static final Duration WITHIN = Duration.ofMinutes(1);

    private RabbitmqctlCommand() {}

    /**
     * Returns what it says.
     *
     * @param environment names the node
     * @param folder for a file with its output
     */
    static String run(Map<String, String> environment, Path folder, String... arguments) {
        List<String> line =
                new ArrayList<>(List.of(RabbitScripts.find("rabbitmqctl").toString()));
        line.addAll(List.of(arguments));
        try {
            Path output = Files.createTempFile(folder, "control", ".log");
            try (NativeProcess process = NativeProcess.start(new NativeCommand(line, environment, output))) {
                boolean ended = process.awaitExit(WITHIN);
                String said = Files.readString(output);
                if (!ended || process.exitCode() != 0) {
                    throw new IllegalStateException(String.join(" ", line) + " failed:\n" + said);
                }
                return said;
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
