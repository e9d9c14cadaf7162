package io.iocluster.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A child JVM, halted by its {@link ParentMonitor} if this process is killed. Owned by its creator; not thread-safe.
 */
public final class JavaProcess extends ChildProcess {

    private final Optional<ClassArchive> archive;

    private JavaProcess(Process process, JavaCommand command) {
        super(process, command.log());
        this.archive = command.archive();
    }

    /** Starts the JVM and returns at once. Appends to the log if it exists. */
    public static JavaProcess start(JavaCommand command) {
        return start(command, Map.of());
    }

    /** Starts the JVM like {@link #start(JavaCommand)}, with further environment variables. */
    public static JavaProcess start(JavaCommand command, Map<String, String> environment) {
        return start(command.commandLine(), command, environment);
    }

    /**
     * Starts the JVM like {@link #start(JavaCommand)}, so that an interrupt ends it even if this process ignores interrupts, for example
     * because {@code nohup} started it. Needs {@code env} of GNU coreutils 8.31 or newer.
     */
    public static JavaProcess startInterruptible(JavaCommand command) {
        List<String> commandLine = new ArrayList<>(List.of("env", "--default-signal=INT"));
        commandLine.addAll(command.commandLine());
        return start(commandLine, command, Map.of());
    }

    private static JavaProcess start(List<String> commandLine, JavaCommand command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(commandLine)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(command.log().toFile()));
        builder.environment().putAll(environment);
        try {
            return new JavaProcess(builder.start(), command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes the archive of the classes that the child has loaded if there is none yet, so that later children with the same
     * main class and class path start faster. Does nothing if the child has ended. The child must not be suspended.
     *
     * @return whether the child has written the archive. If so, prefer to kill it: when such a JVM exits normally, it links all its classes
     *     again, which takes Java 17 up to 20 seconds.
     */
    public boolean archiveClasses() {
        return isAlive() && archive.map(missing -> missing.writeFrom(pid())).orElse(false);
    }
}
