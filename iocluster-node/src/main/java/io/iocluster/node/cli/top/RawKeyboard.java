package io.iocluster.node.cli.top;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Makes the terminal deliver each key at once and without an echo, until {@link #close}. Uses {@code stty}, because Java
 * cannot do it. Without {@code stty}, keys arrive with the line feed after them. Confined to one thread.
 */
final class RawKeyboard implements AutoCloseable {

    private static final int[] DEFAULT_SIZE = {24, 80};

    private final String saved;

    private RawKeyboard(String saved) {
        this.saved = saved;
    }

    static RawKeyboard open() throws InterruptedException {
        String saved = stty("-g");
        if (saved.matches("[0-9a-fA-F:=]+")) {
            // Without susp, because Ctrl-Z would leave the shell in this state.
            stty("-icanon", "-echo", "min", "1", "susp", "undef");
            return new RawKeyboard(saved);
        }
        return new RawKeyboard("");
    }

    /** Returns the rows and the columns of the terminal. */
    static int[] size() throws InterruptedException {
        String[] size = stty("size").split(" ");
        try {
            int[] parsed = {Integer.parseInt(size[0]), Integer.parseInt(size[1])};
            return parsed[0] > 0 && parsed[1] > 0 ? parsed : DEFAULT_SIZE;
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException unknown) {
            return DEFAULT_SIZE;
        }
    }

    /** Returns the output of {@code stty} for the terminal of standard input; empty if it fails. */
    private static String stty(String... arguments) throws InterruptedException {
        List<String> command = new java.util.ArrayList<>(List.of("stty"));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            return process.waitFor(1, TimeUnit.SECONDS) && process.exitValue() == 0 ? output : "";
        } catch (IOException missing) {
            return "";
        }
    }

    @Override
    public void close() {
        if (!saved.isEmpty()) {
            try {
                stty(saved);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
