package io.iocluster.node.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The streams and the environment of a command.
 *
 * @param out receives results only, so that they can be piped
 * @param err receives progress and errors
 * @param interactive whether {@code err} is a terminal, so that a line may be rewritten
 * @param screen whether {@code in} and {@code out} are a terminal, so that a command may use the whole screen
 */
public record Terminal(
        InputStream in,
        PrintStream out,
        PrintStream err,
        Map<String, String> environment,
        boolean interactive,
        boolean screen) {

    /**
     * Returns the terminal of the process. It is UTF-8 in every locale; the start script sets
     * {@code iocluster.interactive} and {@code iocluster.screen}.
     */
    public static Terminal ofProcess() {
        return new Terminal(
                System.in,
                new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8),
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                System.getenv(),
                Boolean.getBoolean("iocluster.interactive"),
                Boolean.getBoolean("iocluster.screen"));
    }
}
