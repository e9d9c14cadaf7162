package io.iocluster.node.monitoring;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.target.TargetServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Generates calls several times a second until it is closed: to a partner that answers most calls, to a host that refuses connections,
 * to a host that refuses the credential and is late at times, to a host that answers 404 and some of whose calls expire, and to two
 * hosts that never answer. One of those has a full queue; the queue of the other one grows. The calls to these two are sent by an app
 * that has most calls of the nodes. Another app waits for its quota, and its calls are slow enough for a second attempt. One of the two
 * upstreams of a further host refuses connections, and that host has a cache. Also sends calls that the egress policy forbids, and invalid
 * messages. Owned by one test class.
 */
public final class TrafficGenerator implements AutoCloseable {

    private static final int[] REPLICAS = FreePorts.find(2);

    /** The node's policy for these destinations. It needs a shared cache. */
    public static final String[] DESTINATIONS = {
        "workers: {threads: 1, max-in-flight: 20, max-waiting: 100000}",
        // Longer than any run of a test class, because an alert must not end before the test that waits for it.
        "http: {timeout: 1h, deadline: 1h, max-timeout: 1h, max-deadline: 1h}",
        "destinations:",
        "  - {match: 127.0.0.1, name: partner, max-in-flight: 1000, hedge: {after: 1s}}",
        "  - {match: 127.0.0.2, name: down}",
        "  - {match: 127.0.0.3, name: slow}",
        "  - {match: 127.0.0.4, name: strict}",
        "  - {match: 127.0.0.5, name: stuck, max-in-flight: 2, max-waiting: 100000}",
        "  - {match: 127.0.0.6, name: picky}",
        "  - match: replicas.example",
        "    cache: {ttl: 1m, shared: true}",
        "    upstreams:",
        "      addresses: [127.0.0.7:" + REPLICAS[0] + ", 127.0.0.7:" + REPLICAS[1] + "]",
        "      ejection: {consecutive-failures: 1, time: 5m}",
        "apps: [{name: flood, max-in-flight: 1, max-waiting: 5}]"
    };

    private static final int INTERVAL_MILLIS = 250;
    private static final int TURNS_TO_FILL = 60;
    /** To each host in each partition: enough that either node fills its slots, however the partitions are assigned. */
    private static final int FIRST_CALLS = 20;
    /** Rare enough to leave slots free, and often enough that the alert about slow attempts fires within seconds. */
    private static final int TURNS_PER_LATE_CALL = 4;

    /** Few enough that nearly all calls to the host are answered. */
    private static final int TURNS_PER_EXPIRED_CALL = 4;

    /** The app with most calls. */
    private static final String BATCH = "batch";

    /** The app that waits for its quota. */
    private static final String FLOOD = "flood";

    private static final String OTHER = "shop";

    private static final long AGE_MILLIS = Duration.ofMinutes(10).toMillis();

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final TargetServer slow = TargetServer.start("127.0.0.3", 0, 1, false);
    private final TargetServer strict = TargetServer.start("127.0.0.4", 0, 1, false);
    private final TargetServer stuck = TargetServer.start("127.0.0.5", 0, 1, false);
    private final TargetServer picky = TargetServer.start("127.0.0.6", 0, 1, false);
    private final TargetServer replica = TargetServer.start("127.0.0.7", REPLICAS[0], 1, false);
    private final String down = "http://127.0.0.2:" + FreePorts.find(1)[0] + "/";
    private final TargetServer partner;
    private final KafkaProducer<byte[], byte[]> producer;
    /** Confined to the timer's thread. */
    private int turns;

    /**
     * Sends the first calls to the two hosts that never answer. Call it before a node starts, because nodes know the age of messages that
     * arrive later.
     */
    public TrafficGenerator(KafkaNodeFixture fixture) {
        partner = fixture.target;
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", fixture.broker.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        for (int partition = 0; partition < fixture.partitions; partition++) {
            for (int i = 0; i < FIRST_CALLS; i++) {
                send(partition, BATCH, call(slow.url("/never"), 1));
                send(partition, BATCH, call(stuck.url("/never"), 1));
            }
        }
        producer.flush();
    }

    /** Starts to send until {@link #close}. */
    public void start() {
        clock.scheduleAtFixedRate(this::sendAll, 0, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void sendAll() {
        call(8, partner.url("/ok"), 3);
        call(1, partner.url("/status?code=503"), 2);
        call(1, partner.url("/reset"), 1);
        call(1, partner.url("/ok").replace("http:", "https:"), 1);
        call(4, down, 1);
        call(3, strict.url("/status?code=401"), 1);
        if (turns % TURNS_PER_LATE_CALL == 0) {
            call(1, strict.url("/delay?ms=6000"), 1);
        }
        call(5, picky.url("/status?code=404"), 1);
        if (turns % TURNS_PER_EXPIRED_CALL == 0) {
            send(null, OTHER, "{\"url\": \"" + picky.url("/ok") + "\", \"deadlineMs\": 1000}");
        }
        call(1, "http://10.0.0.1/", 1);
        call(4, "http://replicas.example/ok?n=" + turns, 1);
        // The slow host's calls fill its queue of 1,000 calls on each node; further ones are rejected. Those of the
        // stuck host are
        // more than half a minute of work from the start, and their number grows.
        boolean fills = turns++ < TURNS_TO_FILL;
        call(BATCH, fills ? 40 : 2, slow.url("/never"), 1);
        call(BATCH, fills ? 60 : 4, stuck.url("/never"), 1);
        call(FLOOD, 2, partner.url("/delay?ms=2000"), 2);
        send(null, OTHER, "no envelope");
    }

    private void call(int times, String url, int attempts) {
        call(OTHER, times, url, attempts);
    }

    private void call(String app, int times, String url, int attempts) {
        for (int i = 0; i < times; i++) {
            send(null, app, call(url, attempts));
        }
    }

    private static String call(String url, int attempts) {
        return "{\"url\": \"" + url + "\", \"retry\": {\"maxAttempts\": " + attempts + "}}";
    }

    /** Sends a message with a timestamp ten minutes in the past. The producer chooses the partition if it is null. */
    private void send(Integer partition, String app, String message) {
        producer.send(new ProducerRecord<>(
                KafkaNodeFixture.REQUESTS,
                partition,
                System.currentTimeMillis() - AGE_MILLIS,
                null,
                message.getBytes(StandardCharsets.UTF_8),
                List.of(new RecordHeader("app", app.getBytes(StandardCharsets.UTF_8)))));
    }

    @Override
    public void close() {
        clock.shutdownNow();
        producer.close(Duration.ofSeconds(5));
        slow.close();
        strict.close();
        stuck.close();
        picky.close();
        replica.close();
    }
}
