package io.iocluster.testkit.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One program to start.
 *
 * @param line the program and its arguments; it keeps the process id that it was started with, or replaces itself by another
 *     program ({@code exec}), but does not go to the background
 * @param environment all of it, but for this process's {@code PATH}
 * @param log takes standard output and error
 */
public record NativeCommand(List<String> commandLine, Map<String, String> environment, Path log) {

    public NativeCommand {
        commandLine = List.copyOf(commandLine);
        environment = Map.copyOf(environment);
    }
}
