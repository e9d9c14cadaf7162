package io.iocluster.kafka.sink;

import io.iocluster.kafka.config.ClientProperties;
import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.thread.GuardedTask;
import io.iocluster.transport.outage.Backoff;
import io.iocluster.transport.outage.ProblemLog;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes messages, if possible on the thread that posts them. Thread-safe. A producer cannot accept a message at
 * once if it has no metadata of the topic, if its buffer is full, or if the broker is unreachable. Then the message
 * waits in a queue of its topic and size for the publisher's own thread, so that no topic blocks another and no large
 * message blocks a small one. During an outage messages wait until the confirm timeout.
 */
public final class KafkaPublisher implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaPublisher.class);
    private static final String CLOSED = "the publisher is closed";

    /** Minimum send rate, in messages per second, at which the producer with linger is used. */
    private static final int LINGER_FROM_PER_SECOND = 6_400;

    private static final int ANY_SIZE = Integer.MAX_VALUE;

    /** Maximum value size of a small answer, in bytes, as in the outbox of the pipeline. */
    private static final int MAX_SMALL_ANSWER = 64 << 10;

    private static final long RATE_INTERVAL_NANOS = Duration.ofMillis(10).toNanos();
    private static final long IDLE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long RETRY_NANOS = Duration.ofMillis(10).toNanos();
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

    private final ClientProperties properties;
    private final Function<String, Map<String, Object>> producerProperties;
    private final String role;
    private final long confirmNanos;
    /** Maximum value size of a small message, in bytes. Small messages do not wait for larger ones. */
    private final int maxSmall;

    private final TopicMetadataCache limits;
    private final MpscUnboundedAtomicArrayQueue<PendingSend> posted = new MpscUnboundedAtomicArrayQueue<>(1_024);
    /** Number of messages that wait for the publisher's thread or are in {@link #queues}. */
    private final AtomicInteger queued = new AtomicInteger();

    /** Messages that the producer has not accepted yet. Confined to the publisher's thread. */
    private final Map<QueueKey, Deque<PendingSend>> queues = new LinkedHashMap<>();

    /** Whether the last run of the publisher's thread took or sent a message. Confined to that thread. */
    private boolean moved;

    private final Backoff backoff = new Backoff(Duration.ofMillis(5), Duration.ofSeconds(5));
    private final ProblemLog problem;
    private final SendRateMeter rate = new SendRateMeter(LINGER_FROM_PER_SECOND, RATE_INTERVAL_NANOS);
    private final Thread thread;
    /** Whether the publisher's thread is parked or about to park. */
    private volatile boolean parked;

    /** The topic whose metadata the producers need before the first message; null once they have requested it. */
    private String firstTopic;

    private volatile boolean closed;
    private volatile boolean broken;
    private volatile ProducerPair producers;

    /** Identifies a queue of messages to one topic that use the same producer. */
    private record QueueKey(String topic, boolean large) {}

    /** Creates a publisher whose messages never time out. Those with a key keep their order, at any size and rate. */
    public static KafkaPublisher forRequests(ClientProperties properties, String role) {
        return new KafkaPublisher(properties, role, Long.MAX_VALUE, ANY_SIZE, properties::requestProducer);
    }

    /** Creates a publisher whose messages fail after {@code kafka.confirm-timeout}. */
    static KafkaPublisher forAnswers(ClientProperties properties, String role, Duration confirmTimeout) {
        return new KafkaPublisher(
                properties, role, confirmTimeout.toNanos(), MAX_SMALL_ANSWER, properties::answerProducer);
    }

    private KafkaPublisher(
            ClientProperties properties,
            String role,
            long confirmNanos,
            int maxSmall,
            Function<String, Map<String, Object>> producerProperties) {
        this.properties = properties;
        this.problem = ProblemLog.ofBroker(LOG, null, properties.bootstrapServers());
        this.role = role;
        this.confirmNanos = confirmNanos;
        this.maxSmall = maxSmall;
        this.producerProperties = producerProperties;
        this.limits = new TopicMetadataCache(
                new AdminTopicDescriber(properties.admin(role + "-limits")),
                properties.isCompressionEnabled(),
                this::wake,
                System::nanoTime);
        this.thread = DaemonThreadFactory.newThread("iocluster-kafka-" + role, this);
    }

    /**
     * Starts the publisher's thread. It connects to the broker and asks for the metadata of the topic, so that the first message does not
     * wait for this.
     *
     * @param topic the topic of most messages
     */
    public void start(String topic) {
        firstTopic = topic;
        thread.start();
    }

    /** Publishes a message. Any thread; never blocks. */
    public void post(PendingSend publication) {
        // Queued messages go first, to keep the order of messages with the same key.
        if (queued.get() == 0 && sendNow(publication)) {
            return;
        }
        publication.postedNanos = System.nanoTime();
        queued.incrementAndGet();
        posted.offer(publication);
        if (closed) {
            publication.fail(CLOSED);
        } else {
            wake();
        }
    }

    private void wake() {
        if (parked) {
            parked = false;
            LockSupport.unpark(thread);
        }
    }

    /** Returns true if the broker last reported that the topic does not exist. Any thread; never blocks. */
    boolean isKnownMissing(String topic) {
        return limits.isKnownMissing(topic, System.nanoTime());
    }

    /**
     * Sends a message on the calling thread, if the producer accepts it at once.
     *
     * @return false if the publisher's thread must send it, which then also handles the failure
     */
    private boolean sendNow(PendingSend publication) {
        ProducerPair current = producers;
        long now = System.nanoTime();
        if (current == null || broken || problem.problem() != null || !limits.isKnownToAccept(publication, now)) {
            return false;
        }
        try {
            return publication.send(select(publication, current, now));
        } catch (RuntimeException failure) {
            LOG.debug("Send failed; the publisher's thread retries", failure);
            return false;
        } catch (Error bug) {
            fail(publication, bug);
            return true;
        }
    }

    /** Returns the producer for a message. Large messages use the one that small messages do not use now, so that they share no buffer. */
    private Producer<byte[], byte[]> select(PendingSend publication, ProducerPair both, long now) {
        boolean isFast = rate.mark(now);
        if (maxSmall == ANY_SIZE && publication.message().key() != null) {
            // Two producers do not keep the order when the rate changes.
            return both.noLinger();
        }
        return isFast == isLarge(publication) ? both.noLinger() : both.lingering();
    }

    private boolean isLarge(PendingSend publication) {
        return publication.valueBytes() > maxSmall;
    }

    /** Handles a failed send. Some failures require a new producer. Any thread. */
    void onSendFailure(String topic, Exception failure) {
        if (failure instanceof UnknownTopicOrPartitionException || failure instanceof TimeoutException) {
            // The topic may have been deleted.
            limits.forget(topic);
        }
        if (failure instanceof ClusterAuthorizationException
                || failure instanceof ProducerFencedException
                || failure instanceof OutOfOrderSequenceException
                || failure instanceof InvalidPidMappingException
                || failure instanceof UnsupportedVersionException
                || failure instanceof AuthenticationException
                || !(failure instanceof ApiException)) {
            broken = true;
            if (!closed) {
                problem.raise("Producer failed and is replaced", failure);
            }
        }
    }

    @Override
    public void run() {
        GuardedTask publish = new GuardedTask("publisher " + role, this::runOnce);
        new GuardedTask("publisher " + role, this::connect).run();
        while (!closed) {
            moved = false;
            publish.run();
            if (!moved) {
                await();
            }
        }
        takePosted();
        queues.values().forEach(queue -> queue.forEach(waiting -> waiting.fail(CLOSED)));
        limits.close();
    }

    /** Opens the clients and asks about the first topic. If this fails, the first message does both and reports the problem. */
    private void connect() {
        try {
            limits.open();
            producers();
            limits.prefetch(firstTopic);
        } catch (KafkaException failure) {
            LOG.debug("Clients not opened before the first message", failure);
        }
    }

    private void runOnce() {
        if (firstTopic != null && producers != null && limits.isUsable(firstTopic)) {
            // Only now, because the request of a producer may create a topic.
            producers.requestMetadata(firstTopic);
            firstTopic = null;
        }
        boolean any = takePosted();
        if (!queues.isEmpty()) {
            any |= publishQueues();
        }
        moved = any;
    }

    private boolean takePosted() {
        PendingSend next = posted.poll();
        if (next == null) {
            return false;
        }
        for (; next != null; next = posted.poll()) {
            queues.computeIfAbsent(new QueueKey(next.message().topic(), isLarge(next)), key -> new ArrayDeque<>())
                    .add(next);
        }
        return true;
    }

    /** Parks until a message is posted, topic metadata arrives, or the retry interval ends. */
    private void await() {
        parked = true;
        if (posted.isEmpty() && !closed) {
            LockSupport.parkNanos(this, queues.isEmpty() ? IDLE_NANOS : RETRY_NANOS);
        }
        parked = false;
    }

    /** Sends all messages that the producers accept now. Returns whether any queue became shorter. */
    private boolean publishQueues() {
        ProducerPair open = openClients();
        boolean moved = false;
        for (Iterator<Deque<PendingSend>> each = queues.values().iterator(); each.hasNext(); ) {
            Deque<PendingSend> queue = each.next();
            int before = queue.size();
            if (open != null) {
                publish(queue);
            }
            long now = System.nanoTime();
            while (!queue.isEmpty() && now - queue.peek().postedNanos > confirmNanos) {
                queue.poll().fail("not accepted by the Kafka client within kafka.confirm-timeout");
                queued.decrementAndGet();
            }
            moved |= queue.size() < before;
            if (queue.isEmpty()) {
                each.remove();
            }
        }
        return moved;
    }

    /** Sends messages of one queue until one has to wait. */
    private void publish(Deque<PendingSend> queue) {
        while (!closed && !broken && !queue.isEmpty()) {
            PendingSend next = queue.peek();
            if (!next.isDone() && !publish(next)) {
                return;
            }
            queue.poll();
            queued.decrementAndGet();
        }
    }

    /** Returns whether the message was accepted by the producer or failed. */
    private boolean publish(PendingSend next) {
        try {
            TopicMetadataCache.TopicCheck check = limits.check(next, System.nanoTime());
            if (check != TopicMetadataCache.TopicCheck.ACCEPTED) {
                return check == TopicMetadataCache.TopicCheck.REJECTED;
            }
            if (next.send(select(next, producers, System.nanoTime()))) {
                problem.clear();
                backoff.reset();
                return true;
            }
            if (!next.wasBufferFull()) {
                limits.forget(next.message().topic());
            }
            return false;
        } catch (KafkaException failure) {
            if (!(failure instanceof ApiException)) {
                broken = true;
            }
            problem.raise("Publishing to the broker failed", failure);
            return false;
        } catch (RuntimeException | Error bug) {
            fail(next, bug);
            return true;
        }
    }

    /** Fails a message that caused an unexpected exception, because a retry would fail too. */
    private static void fail(PendingSend publication, Throwable bug) {
        LOG.error(
                "Message not published because of a defect topic={}",
                publication.message().topic(),
                bug);
        publication.fail(bug.toString());
    }

    /** Opens the admin client and the producers if needed. Sleeps for a backoff and returns null if that fails. */
    private ProducerPair openClients() {
        try {
            limits.open();
            return producers();
        } catch (KafkaException failure) {
            problem.raise("Publishing to the broker failed", failure);
            backoff.sleepUnless(() -> closed);
            return null;
        }
    }

    private ProducerPair producers() {
        ProducerPair now = producers;
        if (broken && now != null) {
            producers = null;
            now.close(CLOSE_WITHIN);
            now = null;
        }
        if (now == null) {
            now = ProducerPair.open(role, producerProperties);
            broken = false;
            producers = now;
        }
        return now;
    }

    /** Closes the clients. Messages that are not confirmed fail. */
    public void close() {
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
        ProducerPair last = producers;
        if (last != null) {
            last.close(CLOSE_WITHIN);
        }
    }
}
