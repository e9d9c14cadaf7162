package io.iocluster.node.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What a command reads and writes.
 *
 * @param out takes results only, so that they can be piped
 * @param err takes progress and mistakes
 * @param interactive whether a person watches, so that a line may be rewritten
 */
public record Terminal(
        InputStream in, PrintStream out, PrintStream err, Map<String, String> environment, boolean interactive) {

    /** The process's own, in UTF-8 whatever the locale says; the start script knows whether a person watches. */
    public static Terminal ofProcess() {
        return new Terminal(
                System.in,
                new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8),
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                System.getenv(),
                Boolean.getBoolean("iocluster.interactive"));
    }
}
