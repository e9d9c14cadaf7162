package io.iocluster.testkit.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The command of a native child process.
 *
 * @param commandLine the program and its arguments; the program must stay in the foreground, but may {@code exec}
 *     another one
 * @param environment all variables of the child except {@code PATH}, which is this process's
 * @param log the file for standard output and error
 */
public record NativeCommand(List<String> commandLine, Map<String, String> environment, Path log) {

    public NativeCommand {
        commandLine = List.copyOf(commandLine);
        environment = Map.copyOf(environment);
    }
}
