package io.iocluster.kafka.cluster;

import io.iocluster.kafka.config.BoundedBytesDeserializer;
import io.iocluster.kafka.config.ClientProperties;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.transport.cluster.ClusterChannel;
import io.iocluster.transport.cluster.ClusterChannelStatus;
import io.iocluster.transport.outage.Backoff;
import io.iocluster.transport.outage.ProblemLog;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
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

    private final ClientProperties properties;
    private final ClusterTopic topic;
    private final String nodeId;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicReference<byte[]> next = new AtomicReference<>();
    private final AtomicLong announced = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final Backoff backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(5));
    private final Backoff missingBackoff = new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(1));
    private final ProblemLog problem = new ProblemLog(LOG, "not connected yet", LOG_INTERVAL);
    private final AtomicInteger failuresInARow = new AtomicInteger();
    private final AtomicInteger unconfirmed = new AtomicInteger();
    private final RecordRate rate = new RecordRate(MAX_RECORDS_PER_SECOND, System::nanoTime);
    private final Thread thread;

    private volatile Listener listener;
    private volatile boolean closing;
    private volatile byte[] last;
    private volatile long closeNanos;

    /**
     * Creates a channel that is not connected.
     *
     * @param nodeId the key of the records, and part of the client ids
     */
    public KafkaClusterChannel(KafkaSettings settings, String nodeId) {
        this.properties = new ClientProperties(settings, nodeId);
        this.topic = new ClusterTopic(settings, properties);
        this.nodeId = nodeId;
        this.thread = DaemonThreadFactory.newThread("iocluster-kafka-cluster", this::run);
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

    private void run() {
        while (!closing) {
            Backoff wait = backoff;
            try {
                if (topic.ensureExists()) {
                    missingBackoff.reset();
                    exchange();
                } else {
                    problem.raise("Announcing this node failed: " + topic.missingTopicProblem(), null);
                    wait = missingBackoff;
                }
            } catch (Throwable failure) {
                recover(failure);
            }
            if (!closing) {
                wait.sleepUnless(() -> closing);
            }
        }
    }

    /** Sends and reads until the channel is closed or sending fails repeatedly. */
    private void exchange() {
        try (AnnouncementClients clients = new AnnouncementClients(properties, topic.name(), nodeId)) {
            failuresInARow.set(0);
            unconfirmed.set(0);
            while (!closing && failuresInARow.get() < MAX_FAILURES) {
                sendNext(clients);
                read(clients);
            }
            if (closing) {
                sendLast(clients);
            }
        }
    }

    /** Limits the unconfirmed records, so that an outage leaves few outdated ones behind. */
    private void sendNext(AnnouncementClients clients) {
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

    private void read(AnnouncementClients clients) {
        for (ConsumerRecord<byte[], byte[]> record : clients.poll(POLL)) {
            if (BoundedBytesDeserializer.problem(record) != null || !rate.tryAcquire()) {
                dropped.incrementAndGet();
            } else if (record.value() != null) {
                deliver(record.value());
            }
        }
        if (rate.isExhausted()) {
            clients.pause();
        } else {
            dropped.addAndGet(clients.resumeAtEnd());
        }
    }

    private void deliver(byte[] record) {
        try {
            listener.received(record);
        } catch (RuntimeException bug) {
            LOG.error("Announcement ignored because of a defect", bug);
        }
    }

    private void sendLast(AnnouncementClients clients) {
        byte[] record = last;
        if (record == null) {
            return;
        }
        CountDownLatch sent = new CountDownLatch(1);
        clients.send(record, (metadata, failure) -> sent.countDown());
        try {
            if (!sent.await(closeNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
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
        closeNanos = System.nanoTime() + timeout.toNanos();
        last = record;
        closing = true;
        if (!started.get()) {
            return;
        }
        LockSupport.unpark(thread);
        try {
            thread.join(Math.max(1, timeout.toMillis()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
