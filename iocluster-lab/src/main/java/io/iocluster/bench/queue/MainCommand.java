package io.iocluster.bench.queue;

import java.util.List;

/** A {@code main} on this JVM's class path, and what it is told. */
public record MainCommand(String mainClass, List<String> args) {

    public MainCommand {
        args = List.copyOf(args);
    }
}
