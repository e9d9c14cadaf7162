package io.iocluster.lab.bench.run;

import io.iocluster.testkit.process.JavaCommand;
import io.iocluster.testkit.process.JavaProcess;
import io.iocluster.testkit.process.TempDirectory;
import java.nio.file.Path;
import java.time.Duration;

/** The process of a subject, with its meter and its folder. */
public final class RunningSubject implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(20);

    private final Subject subject;
    private final TempDirectory folder;
    private final JavaProcess process;
    private final ProcessMeter meter;

    RunningSubject(Subject subject, JavaCommand command, TempDirectory folder) {
        this.subject = subject;
        this.folder = folder;
        this.process = JavaProcess.start(command);
        this.meter = new ProcessMeter(process.pid());
    }

    public ProcessMeter meter() {
        return meter;
    }

    /** Returns a file in the subject's folder. */
    public Path file(String name) {
        return folder.resolve(name);
    }

    /** Throws if the process has exited. */
    public void requireAlive() {
        if (!process.isAlive()) {
            throw failure("ended with " + process.exitCode());
        }
    }

    /** Creates an exception with the problem and the end of the subject's log. */
    public IllegalStateException failure(String problem) {
        return new IllegalStateException("the " + subject.label() + " " + problem + ":\n" + process.logTail(40));
    }

    /** Sends SIGKILL. */
    public void kill() {
        process.kill();
    }

    public long peakHeapBytes() {
        return ProcessMeter.peakHeapBytes(folder.resolve("gc.log"));
    }

    @Override
    public void close() {
        if (process.archiveClasses()) {
            process.kill();
        } else {
            process.terminate(GRACE);
        }
        folder.close();
    }
}
