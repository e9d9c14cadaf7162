package io.iocluster.lab.bench.run;

import io.iocluster.lab.bench.queue.BenchBroker;
import io.iocluster.lab.bench.queue.BenchQueues;
import io.iocluster.testkit.process.TempDirectory;
import io.iocluster.testkit.target.TargetProcess;

/** The broker and the target that all rounds share. Used by the bench's main thread. */
public final class BenchEnvironment implements AutoCloseable {

    private final BenchBroker broker;
    private final TargetProcess target;

    /** Starts the target; the broker is the lab's to close. */
    public BenchEnvironment(BenchBroker broker) {
        this.broker = broker;
        this.target = TargetProcess.start(1, false);
    }

    /** What is measured on. */
    public String title() {
        return broker.title();
    }

    public TargetProcess target() {
        return target;
    }

    /** What the target took so far, in microseconds. */
    long targetCpuMicros() {
        return new ProcessMeter(target.pid()).cpuMicros();
    }

    /** What the broker took so far, in microseconds. */
    long brokerCpuMicros() {
        return new ProcessMeter(broker.pid()).cpuMicros();
    }

    /** Fresh queues. */
    public BenchQueues newQueues() {
        return broker.newQueues();
    }

    /** Starts the subject on its queues. */
    public RunningSubject start(Subject subject, SubjectSetup setup, BenchOptions options) {
        TempDirectory folder = new TempDirectory("bench-" + subject.label());
        return new RunningSubject(subject, subject.command(setup, options, folder.path()), folder);
    }

    @Override
    public void close() {
        target.close();
        broker.close();
    }
}
