package io.iocluster.testkit.rabbit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Evaluates Erlang expressions in a running node by Erlang's {@code erl_call}, which takes milliseconds. {@code rabbitmqctl} starts a
 * virtual machine for each command, which takes two seconds of CPU time. Stateless.
 */
final class ErlCallCommand {

    private static final int TIMEOUT_SECONDS = 60;
    private static final String SUCCESS = "{ok, ";

    private ErlCallCommand() {}

    /** Returns the program, or empty if it is not on the {@code PATH}. */
    static Optional<Path> find() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "erl_call"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Returns the result of the expression as text.
     *
     * @param port where the node accepts connections of other nodes
     * @throws IllegalStateException if the expression fails, or the node does not answer within a minute
     */
    static String run(Path program, int port, String cookie, String expression) {
        try {
            Process process = new ProcessBuilder(
                            program.toString(), "-address", "127.0.0.1:" + port, "-c", cookie, "-e")
                    .redirectErrorStream(true)
                    .start();
            process.onExit()
                    .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .exceptionally(late -> process.destroyForcibly());
            try (var input = process.getOutputStream()) {
                input.write((expression + ".\n").getBytes(StandardCharsets.UTF_8));
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.waitFor() != 0 || !output.startsWith(SUCCESS)) {
                throw new IllegalStateException(expression + " failed:\n" + output);
            }
            return output.substring(SUCCESS.length(), output.length() - 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
