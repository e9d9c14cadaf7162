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
 * Runs a program to start a fault, and another one to end it. Each argument is passed as it is; no shell expands it. A second Ctrl-C
 * does not end the program that ends the fault.
 *
 * @param start the program and its arguments
 * @param end the program that ends the fault; empty if the fault ends by itself
 * @param folder the working directory of both
 * @param timeout after it a program is killed, with those that it started
 */
record CommandFault(List<String> start, List<String> end, Path folder, Duration timeout) implements FaultAction {

    private static final int MAX_OUTPUT_BYTES = 4_096;
    private static final int MAX_TEXT = 300;
    private static final Path SHELL = Path.of("/bin/sh");

    /** Starts the program in place of the shell. It inherits the ignored signals, and its arguments as they are. */
    private static final List<String> IGNORE_SIGNALS =
            List.of(SHELL.toString(), "-c", "trap '' INT QUIT HUP; exec \"$@\"", "sh");

    private static final Duration KILL_GRACE = Duration.ofSeconds(5);

    @Override
    public String description() {
        return "command " + text(start);
    }

    @Override
    public void apply() throws IOException, InterruptedException {
        run(start, start);
    }

    /** Ends the fault with a program that ignores the signals that a terminal sends to all its programs. */
    @Override
    public void undo() throws IOException, InterruptedException {
        if (end.isEmpty()) {
            return;
        }
        List<String> uninterruptible = new ArrayList<>(Files.isExecutable(SHELL) ? IGNORE_SIGNALS : List.of());
        uninterruptible.addAll(end);
        run(end, uninterruptible);
    }

    private static String text(List<String> command) {
        return PrintableText.escape(String.join(" ", command), MAX_TEXT);
    }

    /**
     * Runs a program.
     *
     * @param command the program and its arguments, for people
     * @param commandLine the same with what is before it
     * @throws IOException if it does not start, exits with another code than 0, or does not end in time; the message has the beginning of its output
     */
    private void run(List<String> command, List<String> commandLine) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(commandLine)
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
                        text(command) + " did not end within " + DurationText.format(timeout) + " and was killed");
            }
            // A program that it has started may keep the output open.
            reader.join(TimeUnit.SECONDS.toMillis(1));
            if (process.exitValue() != 0) {
                String printed = printed(output);
                throw new IOException(text(command) + " exited with " + process.exitValue()
                        + (printed.isEmpty() ? "" : ": " + printed));
            }
        } finally {
            kill(process);
        }
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
