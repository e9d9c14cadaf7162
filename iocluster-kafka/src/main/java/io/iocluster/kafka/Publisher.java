package io.iocluster.kafka;

import io.iocluster.transport.outage.Backoff;
import io.iocluster.transport.outage.ProblemLog;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
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
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives messages to the producers. The thread that posts one gives it over itself; what a producer cannot take at once, for
 * it does not know the topic yet, or is full, or the broker is away, queues for the publisher's own thread, which has the
 * patience. An outage is waited out: what is posted stays queued, here or in a producer, until the broker is back or the
 * publisher is closed.
 */
final class Publisher implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);
    private static final String CLOSED = "the sink is closed";

    /** From so many messages a second on they gather. */
    private static final int HEAVY_A_SECOND = 6_400;

    private static final long LOAD_SPAN_NANOS = Duration.ofMillis(10).toNanos();
    private static final long IDLE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

    private final ClientProperties properties;
    private final String role;
    private final TopicLimits limits;
    private final MpscUnboundedAtomicArrayQueue<Publication> posted = new MpscUnboundedAtomicArrayQueue<>(1_024);
    private final Backoff backoff = new Backoff(Duration.ofMillis(5), Duration.ofSeconds(5));
    private final ProblemLog problem = new ProblemLog(LOG, null);
    private final Load load = new Load(HEAVY_A_SECOND, LOAD_SPAN_NANOS);
    private final Thread thread;
    private volatile boolean idle;
    private volatile boolean closed;
    private volatile boolean broken;
    private volatile Producers producers;

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
        if (idle && sendNow(publication)) {
            return;
        }
        posted.offer(publication);
        if (closed) {
            publication.fail(CLOSED);
        } else if (idle) {
            idle = false;
            LockSupport.unpark(thread);
        }
    }

    /**
     * Sends what needs none of the patience of the publisher's thread.
     *
     * @return false if it is for that thread, which also deals with whatever went wrong here
     */
    private boolean sendNow(Publication publication) {
        Producers current = producers;
        long now = System.nanoTime();
        if (current == null || broken || problem.problem() != null || !limits.surelyTakes(publication, now)) {
            return false;
        }
        try {
            return publication.send(byLoad(current, now));
        } catch (RuntimeException notNow) {
            LOG.debug("The publisher's thread tries it", notNow);
            return false;
        }
    }

    private Producer<byte[], byte[]> byLoad(Producers both, long now) {
        return load.isHeavy(now) ? both.gathering() : both.prompt();
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
            Publication next = posted.poll();
            if (next == null) {
                await();
            } else {
                publish(next);
            }
        }
        for (Publication left = posted.poll(); left != null; left = posted.poll()) {
            left.fail(CLOSED);
        }
        limits.close();
    }

    private void await() {
        idle = true;
        if (posted.isEmpty() && !closed) {
            LockSupport.parkNanos(this, IDLE_NANOS);
        }
        idle = false;
    }

    /** Goes on until the producer has it or it has failed or was withdrawn. */
    private void publish(Publication publication) {
        while (!closed && !publication.isDone()) {
            try {
                if (limits.rejects(publication)) {
                    return;
                }
                if (publication.send(byLoad(producers(), System.nanoTime()))) {
                    problem.clear();
                    backoff.reset();
                    return;
                }
                limits.forget(publication.message().topic());
            } catch (TimeoutException away) {
                LOG.debug("The broker is away, which the source tells of", away);
            } catch (KafkaException refused) {
                if (producers != null && !(refused instanceof ApiException)) {
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

    private Producers producers() {
        Producers now = producers;
        if (broken && now != null) {
            producers = null;
            now.close(CLOSE_WITHIN);
            now = null;
        }
        if (now == null) {
            broken = false;
            now = Producers.open(properties, role);
            producers = now;
        }
        return now;
    }

    private void rest() {
        backoff.rest(() -> closed);
    }

    /** Gives up what is not confirmed. */
    void close() {
        closed = true;
        LockSupport.unpark(thread);
        closeProducers();
        limits.close();
        try {
            thread.join(CLOSE_WITHIN.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closeProducers();
    }

    private void closeProducers() {
        Producers last = producers;
        if (last != null) {
            last.close(CLOSE_WITHIN);
        }
    }
}
