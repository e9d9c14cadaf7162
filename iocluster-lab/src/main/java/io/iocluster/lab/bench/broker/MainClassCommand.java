package io.iocluster.lab.bench.broker;

import java.util.List;

/** A main class on this JVM's class path, and its arguments. */
public record MainClassCommand(String mainClass, List<String> args) {

    public MainClassCommand {
        args = List.copyOf(args);
    }
}
