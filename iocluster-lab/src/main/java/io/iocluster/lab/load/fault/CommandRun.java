package io.iocluster.lab.load.fault;

import io.iocluster.node.cli.terminal.PrintableText;
import io.iocluster.settings.DurationText;
import io.iocluster.thread.DaemonThreadFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program with a timeout. Reusable; confined to one thread at a time.
 *
 * @param uninterruptible whether the program ignores the signals that a terminal sends to all its programs: Ctrl-C, Ctrl-\\, and its
 *     end
 */
record CommandRun(List<String> command, Path folder, Duration timeout, boolean uninterruptible) {

    private static final int MAX_OUTPUT_BYTES = 4_096;
    private static final int MAX_TEXT = 300;
    private static final Path SHELL = Path.of("/bin/sh");

    /** Starts the program in place of the shell. It inherits the ignored signals, and its arguments as they are. */
    private static final List<String> IGNORE_SIGNALS =
            List.of(SHELL.toString(), "-c", "trap '' INT QUIT HUP; exec \"$@\"", "sh");

    private static final Duration KILL_GRACE = Duration.ofSeconds(5);

    CommandRun {
        command = List.copyOf(command);
    }

    /** Returns the command line, for people. */
    String text() {
        return PrintableText.escape(String.join(" ", command), MAX_TEXT);
    }

    /**
     * Runs the program.
     *
     * @throws IOException if it does not start, exits with another code than 0, or does not end in time; the message has the beginning of its output
     */
    void run() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(commandLine())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Thread reader = DaemonThreadFactory.newThread("load-command-output", () -> read(process, output));
        reader.start();
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(
                        text() + " did not end within " + DurationText.format(timeout) + " and was killed");
            }
            // A program that it has started may keep the output open.
            reader.join(TimeUnit.SECONDS.toMillis(1));
            if (process.exitValue() != 0) {
                String printed = printed(output);
                throw new IOException(
                        text() + " exited with " + process.exitValue() + (printed.isEmpty() ? "" : ": " + printed));
            }
        } finally {
            kill(process);
        }
    }

    private List<String> commandLine() {
        if (!uninterruptible || !Files.isExecutable(SHELL)) {
            return command;
        }
        List<String> line = new ArrayList<>(IGNORE_SIGNALS);
        line.addAll(command);
        return line;
    }

    private static void kill(Process process) {
        if (!process.isAlive()) {
            return;
        }
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor(KILL_GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads everything, so that the program never blocks, and keeps the beginning. */
    private static void read(Process process, ByteArrayOutputStream kept) {
        byte[] buffer = new byte[MAX_OUTPUT_BYTES];
        try (InputStream in = process.getInputStream()) {
            int count = in.read(buffer);
            while (count >= 0) {
                synchronized (kept) {
                    kept.write(buffer, 0, Math.min(count, MAX_OUTPUT_BYTES - kept.size()));
                }
                count = in.read(buffer);
            }
        } catch (IOException closed) {
            // The program has ended, and its output with it.
        }
    }

    private static String printed(ByteArrayOutputStream output) {
        String text;
        synchronized (output) {
            text = output.toString(StandardCharsets.UTF_8);
        }
        return PrintableText.escape(text.strip().replaceAll("\\s*\\R\\s*", "; "), MAX_TEXT);
    }
}
