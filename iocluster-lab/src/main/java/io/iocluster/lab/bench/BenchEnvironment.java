package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.BenchBroker;
import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.testkit.process.JavaProcess;
import io.iocluster.testkit.process.TempDirectory;
import io.iocluster.testkit.target.TargetProcess;
import tools.jackson.databind.json.JsonMapper;

/** The broker and the target that all rounds share. Confined to the main thread. */
final class BenchEnvironment implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();

    private final BenchBroker broker;
    private TargetProcess target;
    private int hosts = 1;

    /** Starts the target, and takes ownership of the broker. */
    BenchEnvironment(BenchBroker broker) {
        this.broker = broker;
        this.target = TargetProcess.start(1, false);
    }

    BenchBroker broker() {
        return broker;
    }

    TargetProcess target() {
        return target;
    }

    /** Replaces the target if it has fewer hosts than these. */
    void requireHosts(int wanted) {
        if (wanted > hosts) {
            target.close();
            target = TargetProcess.startHosts(wanted, 1, false);
            hosts = wanted;
        }
    }

    /** Returns how many requests the target has not answered yet. */
    int openRequests() {
        return targetTotal("open");
    }

    /** Returns the most requests that were open at once since the request log was cleared. */
    int peakOpenRequests() {
        return targetTotal("peakOpen");
    }

    private int targetTotal(String name) {
        return JSON.readTree(target.totalsJson()).get(name).asInt();
    }

    /** Returns the CPU time of the target so far, in microseconds. */
    long targetCpuMicros() {
        return new ProcessMeter(target.pid()).cpuMicros();
    }

    /** Returns the CPU time of the broker so far, in microseconds. */
    long brokerCpuMicros() {
        return new ProcessMeter(broker.pid()).cpuMicros();
    }

    /** Creates new queues of the usual size. */
    BenchQueues newQueues() {
        return broker.newQueues(broker.partitions());
    }

    /** Starts the subject on the queues of the setup. */
    RunningSubject start(Subject subject, SubjectSetup setup, BenchOptions options) {
        TempDirectory folder = new TempDirectory("bench-" + subject.label());
        return new RunningSubject(subject, JavaProcess.start(subject.command(setup, options, folder)), folder);
    }

    @Override
    public void close() {
        target.close();
        broker.close();
    }
}
