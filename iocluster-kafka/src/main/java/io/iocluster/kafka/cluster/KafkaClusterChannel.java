package io.iocluster.kafka.cluster;

import io.iocluster.kafka.config.BoundedBytesDeserializer;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.recent.RollingCount;
import io.iocluster.thread.LoopThread;
import io.iocluster.thread.Platform;
import io.iocluster.transport.cluster.ClusterChannel;
import io.iocluster.transport.cluster.ClusterChannelStatus;
import io.iocluster.transport.outage.Backoff;
import io.iocluster.transport.outage.ProblemLog;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The announcements of one node on Kafka. Owns a thread that sends and reads. Every node reads the whole topic, from its end, without
 * a consumer group. Thread-safe.
 */
public final class KafkaClusterChannel implements ClusterChannel {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaClusterChannel.class);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration LOG_INTERVAL = Duration.ofMinutes(10);

    /**
     * Failures in a row after which the clients are opened again and the topic is checked. Those of records that were unconfirmed at the
     * same time count once.
     */
    private static final int MAX_FAILURES = 3;

    /**
     * Records that may be unconfirmed at the same time: heartbeats of about two seconds. So a record does not wait until a slow broker has
     * confirmed the one before.
     */
    private static final int MAX_UNCONFIRMED = 10;

    private final KafkaConnections connections;
    private final Platform platform;
    private final ClusterTopic topic;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicReference<byte[]> next = new AtomicReference<>();
    private final AtomicLong announced = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final Backoff backoff;
    private final Backoff missingBackoff;
    private final ProblemLog problem;
    private final AtomicInteger failuresInARow = new AtomicInteger();
    private final AtomicInteger unconfirmed = new AtomicInteger();
    /** The records of this second. Confined to the channel's thread. */
    private final RollingCount records;

    private final LoopThread thread;
    /** Null while they are not open. Confined to the channel's thread. */
    private AnnouncementClients clients;
    /** When the clients may be opened, in monotonic nanoseconds. Confined to the channel's thread. */
    private long openNotBefore;

    private volatile Listener listener;
    private volatile boolean closing;
    private volatile byte[] last;
    private volatile long closeNanos;

    /**
     * Creates a channel that is not connected.
     *
     * @param connections their name is the key of the records
     */
    public KafkaClusterChannel(KafkaConnections connections) {
        this.connections = connections;
        this.platform = connections.platform();
        this.topic = new ClusterTopic(connections);
        this.backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(5), platform.random());
        this.missingBackoff = new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(1), platform.random());
        this.problem = new ProblemLog(LOG, "not connected yet", LOG_INTERVAL, platform);
        this.records = new RollingCount(1, Duration.ofSeconds(1), platform.nanos());
        this.openNotBefore = platform.nanos();
        this.thread = platform.newLoop("iocluster-kafka-cluster", this::run);
    }

    @Override
    public void start(Listener receiver) {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("the channel was started before");
        }
        listener = receiver;
        thread.start();
    }

    @Override
    public void announce(byte[] record) {
        if (record.length > MAX_RECORD_BYTES) {
            throw new IllegalArgumentException("the record has " + record.length + " bytes");
        }
        if (next.getAndSet(record) != null) {
            failed.incrementAndGet();
        }
    }

    @Override
    public ClusterChannelStatus status() {
        return new ClusterChannelStatus(problem.problem(), announced.get(), failed.get(), dropped.get());
    }

    private long run() {
        long wait = openNotBefore - platform.nanos();
        if (!closing && clients == null && wait > 0) {
            return wait;
        }
        try {
            if (closing) {
                end();
                return LoopThread.Task.END;
            }
            if (clients == null) {
                open();
            } else if (failuresInARow.get() < MAX_FAILURES) {
                sendNext();
                read();
            } else {
                closeClients();
                openNotBefore = platform.nanos() + backoff.nextDelayNanos();
            }
        } catch (Throwable failure) {
            recover(failure);
            closeClients();
            openNotBefore = platform.nanos() + backoff.nextDelayNanos();
        }
        return 0;
    }

    private void open() {
        if (!topic.ensureExists()) {
            problem.raise("Announcing this node failed: " + topic.missingTopicProblem(), null);
            openNotBefore = platform.nanos() + missingBackoff.nextDelayNanos();
            return;
        }
        missingBackoff.reset();
        clients = new AnnouncementClients(connections, topic.name());
        failuresInARow.set(0);
        unconfirmed.set(0);
    }

    private void end() {
        if (clients != null) {
            sendLast();
            closeClients();
        }
    }

    private void closeClients() {
        AnnouncementClients last = clients;
        clients = null;
        if (last != null) {
            last.close();
        }
    }

    /** Limits the unconfirmed records, so that an outage leaves few outdated ones behind. */
    private void sendNext() {
        byte[] record = unconfirmed.get() >= MAX_UNCONFIRMED ? null : next.getAndSet(null);
        if (record != null) {
            unconfirmed.incrementAndGet();
            int failures = failuresInARow.get();
            clients.send(record, (metadata, failure) -> confirmed(failure, failures));
        }
    }

    /** @param failuresBefore the failures in a row when the record was sent */
    private void confirmed(Exception failure, int failuresBefore) {
        if (failure == null) {
            announced.incrementAndGet();
            failuresInARow.set(0);
            backoff.reset();
            problem.clear();
        } else {
            failed.incrementAndGet();
            failuresInARow.compareAndSet(failuresBefore, failuresBefore + 1);
            if (!closing) {
                report("Announcing this node on topic " + topic.name() + " failed: ", failure);
            }
        }
        unconfirmed.decrementAndGet();
    }

    private void read() {
        for (ConsumerRecord<byte[], byte[]> record : clients.poll(POLL)) {
            if (BoundedBytesDeserializer.problem(record) != null || isRateExhausted()) {
                dropped.incrementAndGet();
                continue;
            }
            records.add(1, platform.nanos());
            if (record.value() != null) {
                deliver(record.value());
            }
        }
        if (isRateExhausted()) {
            clients.pause();
        } else {
            dropped.addAndGet(clients.resumeAtEnd());
        }
    }

    private boolean isRateExhausted() {
        return records.sum(platform.nanos()) >= MAX_RECORDS_PER_SECOND;
    }

    private void deliver(byte[] record) {
        try {
            listener.received(record);
        } catch (RuntimeException bug) {
            LOG.error("Announcement ignored because of a defect", bug);
        }
    }

    private void sendLast() {
        byte[] record = last;
        if (record == null) {
            return;
        }
        CompletableFuture<Void> sent = new CompletableFuture<>();
        clients.send(record, (metadata, failure) -> sent.complete(null));
        try {
            if (!platform.await(sent, Duration.ofNanos(closeNanos - platform.nanos()))) {
                LOG.debug("The last announcement was not confirmed in time");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void recover(Throwable failure) {
        if (closing) {
            return;
        }
        if (!(failure instanceof Exception)) {
            LOG.error("Defect in the channel of announcements; it continues", failure);
        }
        report("Announcing this node failed: ", failure);
    }

    /** Warns only of failures that a retry cannot end, because the source warns of an outage of the broker. */
    private void report(String what, Throwable failure) {
        if (failure instanceof RetriableException) {
            problem.inform(what + topic.explain(failure));
        } else {
            problem.raise(what + topic.explain(failure), null);
        }
    }

    @Override
    public void close(byte[] record, Duration timeout) {
        closeNanos = platform.nanos() + timeout.toNanos();
        last = record;
        closing = true;
        if (!started.get()) {
            return;
        }
        thread.join(timeout);
    }
}
