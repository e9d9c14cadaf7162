package io.iocluster.node.cli.deadletter;

import io.iocluster.node.Main;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command in a separate process, which a test can kill. Owned by one test. */
final class ReplayProcess implements AutoCloseable {

    private final Process process;

    private ReplayProcess(Process process) {
        this.process = process;
    }

    static ReplayProcess start(Path log, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        try {
            File output = log.toFile();
            return new ReplayProcess(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output)
                    .start());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Kills the process with SIGKILL. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(1, TimeUnit.MINUTES);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
