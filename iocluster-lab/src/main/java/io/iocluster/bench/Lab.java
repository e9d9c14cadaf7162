package io.iocluster.bench;

import io.iocluster.bench.queue.BenchBroker;
import io.iocluster.bench.queue.BenchQueues;
import io.iocluster.testkit.process.ScratchFolder;
import io.iocluster.testkit.target.TargetProcess;

/** The broker and the target that all rounds share. Used by the bench's main thread. */
final class Lab implements AutoCloseable {

    private final BenchBroker broker;
    private final TargetProcess target;

    /** Starts the target; the broker is the lab's to close. */
    Lab(BenchBroker broker) {
        this.broker = broker;
        this.target = TargetProcess.start(1, false);
    }

    /** What is measured on. */
    String title() {
        return broker.title();
    }

    TargetProcess target() {
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
    BenchQueues newQueues() {
        return broker.newQueues();
    }

    /** Starts the subject on its queues. */
    RunningSubject start(Subject subject, SubjectSetup setup, BenchOptions options) {
        ScratchFolder folder = new ScratchFolder("bench-" + subject.label());
        return new RunningSubject(subject, subject.command(setup, options, folder.path()), folder);
    }

    @Override
    public void close() {
        target.close();
        broker.close();
    }
}
