package io.iocluster.kafka.sink;

import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.thread.LoopThread;
import io.iocluster.thread.Platform;
import io.iocluster.transport.outage.Backoff;
import io.iocluster.transport.outage.ProblemLog;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
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
public final class KafkaPublisher {

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

    private final KafkaConnections connections;
    private final Platform platform;
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

    private final Backoff backoff;
    /** When the clients may be opened again after a failure, in monotonic nanoseconds. Confined to the publisher's thread. */
    private long openNotBefore;

    private boolean connected;
    private final ProblemLog problem;
    private final SendRateMeter rate = new SendRateMeter(LINGER_FROM_PER_SECOND, RATE_INTERVAL_NANOS);
    private final LoopThread thread;

    /** The topic whose metadata the producers need before the first message; null once they have requested it. */
    private String firstTopic;

    private volatile boolean closed;
    private volatile boolean broken;
    private volatile ProducerPair producers;

    /** Identifies a queue of messages to one topic that use the same producer. */
    private record QueueKey(String topic, boolean large) {}

    /** Creates a publisher whose messages never time out. Those with a key keep their order, at any size and rate. */
    public static KafkaPublisher forRequests(KafkaConnections connections, String role) {
        return new KafkaPublisher(
                connections,
                role,
                Long.MAX_VALUE,
                ANY_SIZE,
                producer -> connections
                        .properties()
                        .requestProducer(producer, connections.platform().random()));
    }

    /** Creates a publisher whose messages fail after {@code kafka.confirm-timeout}. */
    static KafkaPublisher forAnswers(KafkaConnections connections, String role) {
        long confirmNanos = connections.settings().confirmTimeout().toNanos();
        return new KafkaPublisher(
                connections, role, confirmNanos, MAX_SMALL_ANSWER, connections.properties()::answerProducer);
    }

    private KafkaPublisher(
            KafkaConnections connections,
            String role,
            long confirmNanos,
            int maxSmall,
            Function<String, Map<String, Object>> producerProperties) {
        this.connections = connections;
        this.platform = connections.platform();
        this.problem = ProblemLog.ofBroker(LOG, null, connections.settings().bootstrapServers(), platform);
        this.backoff = new Backoff(Duration.ofMillis(5), Duration.ofSeconds(5), platform.random());
        this.openNotBefore = platform.nanos();
        this.role = role;
        this.confirmNanos = confirmNanos;
        this.maxSmall = maxSmall;
        this.producerProperties = producerProperties;
        this.limits = new TopicMetadataCache(
                new AdminTopicDescriber(connections, role + "-limits"),
                connections.properties().isCompressionEnabled(),
                this::wake,
                platform::nanos);
        this.thread = platform.newLoop("iocluster-kafka-" + role, this::run);
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
        publication.postedNanos = platform.nanos();
        queued.incrementAndGet();
        posted.offer(publication);
        if (closed) {
            publication.fail(CLOSED);
        } else {
            wake();
        }
    }

    private void wake() {
        thread.wake();
    }

    /** Returns true if the broker last reported that the topic does not exist. Any thread; never blocks. */
    boolean isKnownMissing(String topic) {
        return limits.isKnownMissing(topic, platform.nanos());
    }

    /**
     * Sends a message on the calling thread, if the producer accepts it at once.
     *
     * @return false if the publisher's thread must send it, which then also handles the failure
     */
    private boolean sendNow(PendingSend publication) {
        ProducerPair current = producers;
        long now = platform.nanos();
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
        boolean isHighRate = rate.mark(now);
        if (maxSmall == ANY_SIZE && publication.message().key() != null) {
            // Two producers do not keep the order when the rate changes.
            return both.noLinger();
        }
        boolean lingers = isLarge(publication) ? !isHighRate : isHighRate;
        return lingers ? both.lingering() : both.noLinger();
    }

    private boolean isLarge(PendingSend publication) {
        return publication.valueBytes() > maxSmall;
    }

    /** Handles a message that the producer or the broker refused as too large. Any thread. */
    void onTooLarge(String topic) {
        limits.refreshLimit(topic);
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

    private long run() {
        if (closed) {
            takePosted();
            queues.values().forEach(queue -> queue.forEach(waiting -> waiting.fail(CLOSED)));
            limits.close();
            return LoopThread.Task.END;
        }
        if (!connected) {
            connected = true;
            connect();
        }
        return runOnce();
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

    /** Returns how long to wait until a message is posted, topic metadata arrives, or the retry interval ends. */
    private long runOnce() {
        if (firstTopic != null && producers != null && limits.isUsable(firstTopic)) {
            // Only now, because the request of a producer may create a topic.
            producers.requestMetadata(firstTopic);
            firstTopic = null;
        }
        boolean any = takePosted();
        if (!queues.isEmpty()) {
            any |= publishQueues();
        }
        if (any) {
            return 0;
        }
        return queues.isEmpty() ? IDLE_NANOS : RETRY_NANOS;
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
            long now = platform.nanos();
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
            TopicMetadataCache.TopicCheck check = limits.check(next, platform.nanos());
            if (check != TopicMetadataCache.TopicCheck.ACCEPTED) {
                return check == TopicMetadataCache.TopicCheck.REJECTED;
            }
            if (next.send(select(next, producers, platform.nanos()))) {
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

    /** Opens the admin client and the producers if needed. Returns null if that fails, and until the backoff after that is over. */
    private ProducerPair openClients() {
        if (platform.nanos() - openNotBefore < 0) {
            return null;
        }
        try {
            limits.open();
            return producers();
        } catch (KafkaException failure) {
            problem.raise("Publishing to the broker failed", failure);
            openNotBefore = platform.nanos() + backoff.nextDelayNanos();
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
            now = ProducerPair.open(connections, role, producerProperties);
            broken = false;
            producers = now;
        }
        return now;
    }

    /** Closes the clients. Messages that are not confirmed fail. */
    public void close() {
        closed = true;
        thread.wake();
        closeProducers();
        limits.close();
        thread.join(CLOSE_WITHIN);
        closeProducers();
    }

    private void closeProducers() {
        ProducerPair last = producers;
        if (last != null) {
            last.close(CLOSE_WITHIN);
        }
    }
}
