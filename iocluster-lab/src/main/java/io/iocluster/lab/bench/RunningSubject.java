package io.iocluster.lab.bench;

import io.iocluster.testkit.process.ChildProcess;
import io.iocluster.testkit.process.JavaProcess;
import io.iocluster.testkit.process.Jcmd;
import io.iocluster.testkit.process.TempDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The process of a subject, with its meter and its folder. */
final class RunningSubject implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(20);

    private static final Duration COLLECTED_WITHIN = Duration.ofSeconds(30);

    private static final String GC_LOG = "gc.log";

    private final Subject subject;
    private final TempDirectory folder;
    private final ChildProcess process;
    private final ProcessMeter meter;

    /** Takes ownership of the process and of the folder. */
    RunningSubject(Subject subject, ChildProcess process, TempDirectory folder) {
        this.subject = subject;
        this.folder = folder;
        this.process = process;
        this.meter = new ProcessMeter(process.pid());
    }

    /** Returns the JVM option that writes the log of which {@link #peakHeapBytes} reads the peak. */
    static String gcLogOption(TempDirectory folder) {
        return "-Xlog:gc:file=" + folder.resolve(GC_LOG);
    }

    Subject subject() {
        return subject;
    }

    ProcessMeter meter() {
        return meter;
    }

    /** Throws if the process has exited. */
    void requireAlive() {
        if (!process.isAlive()) {
            throw failure("ended with " + process.exitCode());
        }
    }

    /** Creates an exception with the problem and the end of the subject's log. */
    IllegalStateException failure(String problem) {
        return new IllegalStateException("the " + subject.label() + " " + problem + ":\n" + process.logTail(40));
    }

    /** Sends SIGKILL. */
    void kill() {
        process.kill();
    }

    long peakHeapBytes() {
        return ProcessMeter.peakHeapBytes(folder.resolve(GC_LOG));
    }

    /** Runs a full collection in the subject's JVM, and returns the heap that is used afterwards, in bytes. */
    long heapAfterCollection() {
        Path log = folder.resolve(GC_LOG);
        int before = ProcessMeter.heapAfterFullCollections(log).size();
        try {
            Jcmd.run(process.pid(), COLLECTED_WITHIN, "GC.run");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        List<Long> heaps = ProcessMeter.heapAfterFullCollections(log);
        if (heaps.size() == before) {
            throw failure("made no full collection");
        }
        return heaps.get(heaps.size() - 1);
    }

    @Override
    public void close() {
        if (process instanceof JavaProcess java && java.archiveClasses()) {
            process.kill();
        } else {
            process.terminate(GRACE);
        }
        folder.close();
    }
}
