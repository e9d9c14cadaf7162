package io.iocluster.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A child process that is not a JVM. Its parent monitor is a shell that reads from a pipe that only this process holds:
 * when this process exits or is killed, the pipe closes and the shell kills the child. Owned by its creator; not
 * thread-safe.
 */
public final class NativeProcess extends ChildProcess {

    /** Starts the monitor in the background and replaces the shell by the program, so that the program has the id of the process. */
    private static final String MONITORED = """
            exec 3<&0
            (trap '' INT TERM HUP; read -r line <&3; kill -KILL $$) >/dev/null 2>&1 &
            exec "$@" </dev/null 3<&-""";

    private NativeProcess(Process process, Path log) {
        super(process, log);
    }

    /** Starts the program and returns at once. Appends to the log if it exists. */
    public static NativeProcess start(NativeCommand command) {
        List<String> commandLine = new ArrayList<>(List.of("sh", "-c", MONITORED, "parent-monitor"));
        commandLine.addAll(command.commandLine());
        ProcessBuilder builder = new ProcessBuilder(commandLine)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(command.log().toFile()));
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(List.of("PATH"));
        environment.putAll(command.environment());
        try {
            return new NativeProcess(builder.start(), command.log());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
