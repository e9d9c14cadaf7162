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

    private final Optional<ClassArchive.Recording> recording;

    private JavaProcess(Process process, Path log, Optional<ClassArchive.Recording> recording) {
        super(process, log);
        this.recording = recording;
    }

    /** Starts the JVM and returns at once. Appends to the log if it exists. */
    public static JavaProcess start(JavaCommand command) {
        return start(command, Map.of());
    }

    /** Starts the JVM like {@link #start(JavaCommand)}, with further environment variables. */
    public static JavaProcess start(JavaCommand command, Map<String, String> environment) {
        return start(List.of(), command, environment);
    }

    /**
     * Starts the JVM like {@link #start(JavaCommand, Map)}, so that an interrupt ends it even if this process ignores interrupts, for
     * example because {@code nohup} started it. Needs {@code env} of GNU coreutils 8.31 or newer.
     */
    public static JavaProcess startInterruptible(JavaCommand command, Map<String, String> environment) {
        return start(List.of("env", "--default-signal=INT"), command, environment);
    }

    private static JavaProcess start(List<String> prefix, JavaCommand command, Map<String, String> environment) {
        Optional<ClassArchive> archive = command.archive();
        Optional<ClassArchive.Recording> recording = archive.flatMap(ClassArchive::tryRecord);
        List<String> commandLine = new ArrayList<>(prefix);
        commandLine.addAll(command.commandLine(recording
                .map(ClassArchive.Recording::flags)
                .orElseGet(() -> archive.map(ClassArchive::flags).orElse(List.of()))));
        ProcessBuilder builder = new ProcessBuilder(commandLine)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(command.log().toFile()));
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            recording.ifPresent(held -> process.onExit().thenRun(held::close));
            return new JavaProcess(process, command.log(), recording);
        } catch (IOException e) {
            recording.ifPresent(ClassArchive.Recording::close);
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes the archive of the classes that the child has loaded, so that later children with the same main class and class path start
     * faster. Does nothing if there is an archive, if an earlier child that still runs is the one to write it, or if the child has ended.
     * The child must not be suspended.
     *
     * @return whether the child has written the archive. If so, prefer to kill it: when such a JVM exits normally, it links all its classes
     *     again, which takes Java 17 up to 20 seconds.
     */
    public boolean archiveClasses() {
        return isAlive() && recording.map(held -> held.writeFrom(pid())).orElse(false);
    }
}
