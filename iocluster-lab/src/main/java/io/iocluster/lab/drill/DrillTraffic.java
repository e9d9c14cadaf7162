package io.iocluster.lab.drill;

import io.iocluster.thread.DaemonThreadFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sends the usual calls of three apps to three targets, with deadlines. Its thread owns the producer. */
final class DrillTraffic implements AutoCloseable {

    private static final List<String> APPS = List.of("shop", "shop", "shop", "billing", "report");
    private static final int CALLS_PER_SECOND = 150;
    private static final int DEADLINE_MILLIS = 10_000;

    private final DrillCluster cluster;
    private final Thread thread = DaemonThreadFactory.newThread("iocluster-drill-traffic", this::send);
    private volatile boolean closed;
    /** Calls a second of the app billing, beyond its usual ones. */
    private volatile int flood;

    DrillTraffic(DrillCluster cluster) {
        this.cluster = cluster;
        thread.start();
    }

    void setFlood(int callsPerSecond) {
        flood = callsPerSecond;
    }

    private void send() {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                cluster.broker.bootstrapServers(),
                "linger.ms",
                5,
                // While the broker is away, callers give up, as those of a service do.
                "max.block.ms",
                1_000,
                "request.timeout.ms",
                2_000,
                "delivery.timeout.ms",
                3_000);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            long due = System.nanoTime();
            for (long number = 0; !closed; number++) {
                int extra = flood;
                int perSecond = CALLS_PER_SECOND + extra;
                boolean flooding = ThreadLocalRandom.current().nextInt(perSecond) < extra;
                send(producer, number, flooding ? "billing" : APPS.get((int) (number % APPS.size())));
                // After a pause, sends at most the calls of one second in addition.
                due = Math.max(due + TimeUnit.SECONDS.toNanos(1) / perSecond, System.nanoTime() - 1_000_000_000L);
                LockSupport.parkNanos(due - System.nanoTime());
            }
        }
    }

    private void send(KafkaProducer<byte[], byte[]> producer, long number, String app) {
        String target = DrillCluster.TARGETS.get((int) (number / APPS.size() % DrillCluster.TARGETS.size()));
        byte[] envelope = ("{\"url\":\"" + cluster.url(target) + "\",\"deadlineMs\":" + DEADLINE_MILLIS + "}")
                .getBytes(StandardCharsets.UTF_8);
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(DrillCluster.REQUESTS, (int) (number % DrillCluster.PARTITIONS), null, envelope);
        message.headers().add("app", app.getBytes(StandardCharsets.UTF_8));
        producer.send(message);
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.join();
    }
}
