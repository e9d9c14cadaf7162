package io.iocluster.node.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends calls at constant rates: a few with a reply-to that exists, and many with reply-tos that do not exist, nearly all of them
 * different. Records the durations of the calls whose reply-to exists. Thread-safe.
 */
final class ReplyToFlood {

    /** The node starts cold: until then its JVM compiles, and the target and the broker see their first connections. */
    private static final Duration WARM_UP = Duration.ofSeconds(1);

    private static final Duration DURATION = Duration.ofSeconds(4);
    /** The longest time that all good answers may take after the flood. */
    static final Duration ALL_ANSWERED_WITHIN = Duration.ofSeconds(60);

    private static final int INVENTED_PER_SECOND = 375;
    private static final int INVENTED_NAMES = 4_500;
    private static final int GOOD_PER_SECOND = 50;

    private final String prefix;
    private final EnvelopeSender sender;
    private final Map<String, Long> sentMillis = new ConcurrentHashMap<>();
    private final Map<String, Long> tookMillis = new ConcurrentHashMap<>();
    private final AtomicInteger goodCalls = new AtomicInteger();
    private final AtomicInteger inventedCalls = new AtomicInteger();

    /** Sends one envelope. */
    @FunctionalInterface
    interface EnvelopeSender {

        void send(String id, String replyTo);
    }

    /** @param prefix of the reply-tos; the good one is the prefix and {@code good} */
    ReplyToFlood(String prefix, EnvelopeSender sender) {
        this.prefix = prefix;
        this.sender = sender;
    }

    String goodReplyTo() {
        return prefix + "good";
    }

    private void sendGood() {
        String id = "good-" + goodCalls.getAndIncrement();
        sentMillis.put(id, System.currentTimeMillis());
        sender.send(id, goodReplyTo());
    }

    private void sendInvented() {
        int number = inventedCalls.getAndIncrement();
        sender.send("invented-" + number, prefix + "invented-" + number % INVENTED_NAMES);
    }

    /** Sends at these rates for some seconds, so that the node is warm. Wait for the answers, and then call {@link #run}. */
    void warmUp() throws Exception {
        send(WARM_UP);
    }

    /** Sends the calls of the flood, all with names that the node has not seen. */
    void run() throws Exception {
        sentMillis.clear();
        tookMillis.clear();
        send(DURATION);
    }

    /** Sends as many calls as belong to this time. A busy machine takes longer. */
    private void send(Duration during) throws Exception {
        int last = inventedCalls.get() + (int) during.toSeconds() * INVENTED_PER_SECOND;
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
        try {
            every(timer, GOOD_PER_SECOND, this::sendGood);
            every(timer, INVENTED_PER_SECOND, this::sendInvented);
            await().until(() -> inventedCalls.get() >= last);
        } finally {
            timer.shutdown();
            assertThat(timer.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    private static void every(ScheduledExecutorService timer, int perSecond, Runnable task) {
        timer.scheduleAtFixedRate(task, 0, 1_000_000 / perSecond, TimeUnit.MICROSECONDS);
    }

    /** Records the arrival of an answer at the good reply-to. */
    void arrived(String id, long atMillis) {
        Long sent = sentMillis.get(id);
        if (sent != null) {
            tookMillis.putIfAbsent(id, atMillis - sent);
        }
    }

    boolean allArrived() {
        return tookMillis.size() == sentMillis.size();
    }

    /** Asserts that the good calls were answered at their reply-to. */
    void assertGoodCallsUnaffected() {
        assertThat(tookMillis.size())
                .as("answers at the good reply-to: %s", this)
                .isEqualTo(sentMillis.size());
    }

    private long percentile(int percent) {
        List<Long> sorted = tookMillis.values().stream().sorted().toList();
        return sorted.isEmpty() ? -1 : sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
    }

    /** Returns the slowest good calls of each second of the flood, in milliseconds. */
    private String slowestBySecond() {
        Map<Long, Long> slowest = new TreeMap<>();
        long first =
                sentMillis.values().stream().mapToLong(Long::longValue).min().orElse(0);
        tookMillis.forEach((id, took) -> slowest.merge((sentMillis.get(id) - first) / 1_000, took, Math::max));
        return slowest.toString();
    }

    @Override
    public String toString() {
        return "good=" + sentMillis.size() + " arrived=" + tookMillis.size() + " invented=" + inventedCalls + " p50="
                + percentile(50) + "ms p99=" + percentile(99) + "ms max=" + percentile(100) + "ms slowestBySecond="
                + slowestBySecond();
    }
}
