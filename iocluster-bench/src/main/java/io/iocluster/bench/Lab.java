package io.iocluster.bench;

import io.iocluster.testkit.broker.KafkaProcess;
import io.iocluster.testkit.process.ScratchFolder;
import io.iocluster.testkit.target.TargetProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;

/** The broker and the target that all rounds share. Used by the bench's main thread. */
final class Lab implements AutoCloseable {

    private final KafkaProcess broker;
    private final TargetProcess target;
    private final Admin admin;
    private final int partitions;
    private int topics;

    Lab(int partitions) {
        this.partitions = partitions;
        this.broker = KafkaProcess.launch();
        this.target = TargetProcess.start(1, false);
        this.admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
    }

    String bootstrapServers() {
        return broker.bootstrapServers();
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

    /** A fresh topic. */
    String newTopic(String purpose) {
        String name = "bench-" + purpose + "-" + topics++;
        broker.createTopic(name, partitions, Map.of());
        return name;
    }

    int partitions() {
        return partitions;
    }

    void delete(List<String> names) {
        await(admin.deleteTopics(names).all());
    }

    /** Starts the subject on the topics. */
    RunningSubject start(Subject subject, SubjectSetup setup, BenchOptions options) {
        ScratchFolder folder = new ScratchFolder("bench-" + subject.label());
        return new RunningSubject(subject, subject.command(setup, options, folder.path()), folder);
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(2));
        target.close();
        broker.close();
    }

    private static void await(org.apache.kafka.common.KafkaFuture<?> future) {
        try {
            future.get(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }
}
