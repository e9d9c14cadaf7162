package io.iocluster.lab.bench.queue;

import java.util.List;

/** A {@code main} on this JVM's class path, and what it is told. */
public record MainClassCommand(String mainClass, List<String> args) {

    public MainClassCommand {
        args = List.copyOf(args);
    }
}
