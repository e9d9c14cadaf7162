package io.iocluster.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A child that is no JVM. Its leash is a shell that reads from a pipe that this process alone holds: when this process is
 * gone, however that ended, the pipe closes, and the shell kills the child. Owned by whoever started it.
 */
public final class NativeProcess extends ChildProcess {

    /** The program takes the shell's place, so that the process id is the program's own; the leash stays beside it. */
    private static final String LEASHED = """
            exec 3<&0
            (trap '' INT TERM HUP; read -r line <&3; kill -KILL $$) >/dev/null 2>&1 &
            exec "$@" </dev/null 3<&-""";

    private NativeProcess(Process process, Path log) {
        super(process, log);
    }

    /** Starts the program and returns at once. Appends to the log if it exists. */
    public static NativeProcess start(NativeCommand command) {
        List<String> line = new ArrayList<>(List.of("sh", "-c", LEASHED, "leash"));
        line.addAll(command.commandLine());
        ProcessBuilder builder = new ProcessBuilder(line)
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
