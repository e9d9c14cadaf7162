package io.iocluster.bench;

import io.iocluster.testkit.process.JavaCommand;
import io.iocluster.testkit.process.JavaProcess;
import io.iocluster.testkit.process.ScratchFolder;
import java.nio.file.Path;
import java.time.Duration;

/** A subject's process, and what it took so far. */
final class RunningSubject implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(20);

    private final Subject subject;
    private final ScratchFolder folder;
    private final JavaProcess process;
    private final ProcessMeter meter;

    RunningSubject(Subject subject, JavaCommand command, ScratchFolder folder) {
        this.subject = subject;
        this.folder = folder;
        this.process = JavaProcess.start(command);
        this.meter = new ProcessMeter(process.pid());
    }

    ProcessMeter meter() {
        return meter;
    }

    /** A file of its folder. */
    Path file(String name) {
        return folder.resolve(name);
    }

    /** Fails if the process ended by itself. */
    void check() {
        if (!process.isAlive()) {
            throw failure("ended with " + process.exitCode());
        }
    }

    /** A failure that shows the end of the subject's log. */
    IllegalStateException failure(String problem) {
        return new IllegalStateException("the " + subject.label() + " " + problem + ":\n" + process.logTail(40));
    }

    /** SIGKILL. */
    void kill() {
        process.kill();
    }

    long peakHeapBytes() {
        return ProcessMeter.peakHeapBytes(folder.resolve("gc.log"));
    }

    @Override
    public void close() {
        process.terminate(GRACE);
        folder.close();
    }
}
