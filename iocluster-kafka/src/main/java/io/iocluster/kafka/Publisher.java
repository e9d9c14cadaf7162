package io.iocluster.kafka;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that gives messages to the producer, for that may block. Others post and go on. An outage is waited out:
 * what is posted stays queued, here or in the producer, until the broker is back or the publisher is closed.
 */
final class Publisher implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);
    private static final String CLOSED = "the sink is closed";

    /**
     * Under load the next messages may gather for so long, as long as Kafka's own linger: few large requests cost broker and
     * node less than many small ones. A lone message waits for nothing.
     */
    private static final long GATHER_NANOS = Duration.ofMillis(5).toNanos();

    private static final int HEAVY_A_SECOND = 6_400;
    private static final long IDLE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

    private final ClientProperties properties;
    private final String role;
    private final TopicLimits limits;
    private final MpscUnboundedArrayQueue<Publication> posted = new MpscUnboundedArrayQueue<>(1_024);
    private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));
    private final ProblemLog problem = new ProblemLog(LOG, null);
    private final Load load = new Load(HEAVY_A_SECOND, GATHER_NANOS);
    private final Thread thread;
    private volatile boolean idle;
    private volatile boolean closed;
    private volatile boolean broken;
    private volatile Producer<byte[], byte[]> producer;

    Publisher(ClientProperties properties, String role) {
        this.properties = properties;
        this.role = role;
        this.limits = new TopicLimits(properties.admin(role + "-limits"), properties.compresses());
        this.thread = new Thread(this, "iocluster-kafka-" + role);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Any thread; never blocks. */
    void post(Publication publication) {
        posted.offer(publication);
        if (closed) {
            publication.fail(CLOSED);
        } else if (idle) {
            idle = false;
            LockSupport.unpark(thread);
        }
    }

    boolean isOwnThread() {
        return Thread.currentThread() == thread;
    }

    /** A message failed; some failures are the end of the producer, not only of the message. Any thread. */
    void failed(Exception failure) {
        if (failure instanceof ClusterAuthorizationException
                || failure instanceof ProducerFencedException
                || failure instanceof OutOfOrderSequenceException
                || failure instanceof InvalidPidMappingException
                || failure instanceof UnsupportedVersionException
                || failure instanceof AuthenticationException
                || !(failure instanceof ApiException)) {
            broken = true;
        }
        if (!closed) {
            problem.raise("A message cannot be published", failure);
        }
    }

    @Override
    public void run() {
        while (!closed) {
            int published = publishAll();
            if (load.isHeavy(published, System.nanoTime())) {
                LockSupport.parkNanos(this, GATHER_NANOS);
            } else if (published == 0) {
                await();
            }
        }
        for (Publication left = posted.poll(); left != null; left = posted.poll()) {
            left.fail(CLOSED);
        }
        limits.close();
    }

    private int publishAll() {
        int published = 0;
        for (Publication next = posted.relaxedPoll(); next != null; next = posted.relaxedPoll()) {
            publish(next);
            published++;
        }
        return published;
    }

    private void await() {
        idle = true;
        if (posted.isEmpty() && !closed) {
            LockSupport.parkNanos(this, IDLE_NANOS);
        }
        idle = false;
    }

    /** Goes on until the producer has it or it has failed. */
    private void publish(Publication publication) {
        while (!closed) {
            try {
                if (limits.rejects(publication)) {
                    return;
                }
                if (publication.send(producer())) {
                    problem.clear();
                    backoff.reset();
                    return;
                }
                limits.forget(publication.message().topic());
            } catch (TimeoutException away) {
                LOG.debug("The broker is away, which the source tells of", away);
            } catch (KafkaException refused) {
                if (producer != null && !(refused instanceof ApiException)) {
                    broken = true;
                }
                problem.raise("The broker cannot be written to", refused);
            } catch (RuntimeException | Error bug) {
                LOG.error("A message could not be published", bug);
                publication.fail(String.valueOf(bug.getMessage()));
                return;
            }
            rest();
        }
        publication.fail(CLOSED);
    }

    private Producer<byte[], byte[]> producer() {
        if (broken && producer != null) {
            Producer<byte[], byte[]> old = producer;
            producer = null;
            old.close(CLOSE_WITHIN);
        }
        if (producer == null) {
            broken = false;
            producer = new KafkaProducer<>(properties.producer(role));
        }
        return producer;
    }

    private void rest() {
        long until = System.nanoTime() + backoff.nextNanos();
        for (long left = until - System.nanoTime(); left > 0 && !closed; left = until - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    /** Gives up what is not confirmed. */
    void close() {
        closed = true;
        LockSupport.unpark(thread);
        closeProducer();
        limits.close();
        try {
            thread.join(CLOSE_WITHIN.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closeProducer();
    }

    private void closeProducer() {
        Producer<byte[], byte[]> last = producer;
        if (last != null) {
            last.close(CLOSE_WITHIN);
        }
    }
}
