package io.iocluster.node.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.node.AdminFixture;
import io.iocluster.node.consul.FakeConsulAgent;
import io.iocluster.testkit.memory.MemoryMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Measures how soon calls avoid a replica that becomes slow or dies, and use one that Consul adds. Takes 90 seconds, so the suite does not run
 * it: {@code mvn test -pl iocluster-node -am -Dtest=UpstreamsMeasurement -Dsurefire.failIfNoSpecifiedTests=false}. Writes the figures to {@code
 * iocluster-node/target/upstreams-measurement.txt}.
 */
class UpstreamsMeasurement {

    private static final Path RESULT = Path.of("target/upstreams-measurement.txt");
    private static final int CALLS_PER_SECOND = 300;
    private static final int PHASE_SECONDS = 20;
    private static final int SETTLED_SECONDS = 10;
    private static final double MAX_RATIO = 1.3;
    private static final List<String> PHASES =
            List.of("three healthy replicas", "one is ten times slower", "another one hangs and dies", "one is added");

    private final List<Replica> replicas =
            IntStream.range(0, 4).mapToObj(i -> new Replica()).toList();
    private final FakeConsulAgent consul = new FakeConsulAgent();
    private final long[] sentMillis = new long[CALLS_PER_SECOND * PHASE_SECONDS * PHASES.size()];
    private final AtomicInteger sent = new AtomicInteger();

    @GuardedBy("this")
    private final List<List<Long>> requests = new ArrayList<>();

    @Test
    void callsAvoidASlowAndADeadReplicaAndUseANewOne() throws Exception {
        consul.setInstances("partner", addresses(3));
        try (AdminFixture node = new AdminFixture("""
                config: {consul: {address: "%s", service: {enabled: false}}}
                workers: {threads: 2}
                retry: {base-delay: 10ms}
                destinations:
                  - match: [partner.example]
                    timeout: 1s
                    upstreams: {consul: {service: partner}}
                """.formatted(consul.address()))) {
            sendAndCauseEvents(node);
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> node.broker.answers().size() == sentMillis.length);
            report(node.broker.answers());
        } finally {
            consul.close();
            replicas.forEach(Replica::close);
        }
    }

    private String[] addresses(int count) {
        return replicas.stream().limit(count).map(Replica::address).toArray(String[]::new);
    }

    private void sendAndCauseEvents(AdminFixture node) throws InterruptedException {
        CountDownLatch allSent = new CountDownLatch(sentMillis.length);
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
        try {
            timer.scheduleAtFixedRate(
                    () -> {
                        int id = sent.getAndIncrement();
                        if (id < sentMillis.length) {
                            sentMillis[id] = System.currentTimeMillis();
                            node.broker.send(
                                    "{\"url\": \"http://partner.example/\"}".getBytes(StandardCharsets.UTF_8),
                                    Integer.toString(id),
                                    Map.of());
                            allSent.countDown();
                        }
                    },
                    0,
                    1_000_000_000L / CALLS_PER_SECOND,
                    TimeUnit.NANOSECONDS);
            afterPhases(timer, 1, () -> replicas.get(0).slowDown(10));
            afterPhases(timer, 2, () -> {
                replicas.get(1).hang();
                timer.schedule(replicas.get(1)::close, 5, TimeUnit.SECONDS);
            });
            afterPhases(timer, 3, () -> consul.setInstances("partner", addresses(4)));
            afterPhases(timer, 4, () -> {});
            assertThat(allSent.await(PHASE_SECONDS * (PHASES.size() + 1), TimeUnit.SECONDS))
                    .isTrue();
            await().until(() -> countsOfRequests() == 2 * PHASES.size());
        } finally {
            timer.shutdownNow();
        }
    }

    /** Counts the requests before and after the settled part of the last of these phases, and then causes the event. */
    private void afterPhases(ScheduledExecutorService timer, int phases, Runnable event) {
        timer.schedule(this::countRequests, (long) phases * PHASE_SECONDS - SETTLED_SECONDS, TimeUnit.SECONDS);
        timer.schedule(
                () -> {
                    countRequests();
                    event.run();
                },
                (long) phases * PHASE_SECONDS,
                TimeUnit.SECONDS);
    }

    private synchronized int countsOfRequests() {
        return requests.size();
    }

    private synchronized void countRequests() {
        requests.add(replicas.stream().map(Replica::requests).toList());
    }

    private void report(List<MemoryMessage> answers) throws IOException {
        long[] latency = new long[sentMillis.length];
        AnswerDecoder decoder = new AnswerDecoder();
        int retried = 0;
        for (MemoryMessage each : answers) {
            Answer answer = decoder.decode(each.payload());
            assertThat(answer.status()).as("answer of each call").isEqualTo(200);
            retried += answer.attempts() - 1;
            int id = Integer.parseInt(each.correlationId());
            latency[id] = each.timestampMillis() - sentMillis[id];
        }
        long healthy = p99(latency, 0, SETTLED_SECONDS);
        StringBuilder table = new StringBuilder("calls=" + latency.length + " retries=" + retried);
        for (int phase = 0; phase < PHASES.size(); phase++) {
            long first = p99(latency, phase, 0);
            long settled = p99(latency, phase, SETTLED_SECONDS);
            table.append(String.format(
                    Locale.ROOT,
                    "%n%-28s p99 of the first 10 s %5d ms, of the next 10 s %4d ms (%.2f x), shares %s",
                    PHASES.get(phase),
                    first,
                    settled,
                    (double) settled / healthy,
                    shares(phase)));
        }
        Files.writeString(RESULT, table);
        for (int phase = 1; phase < PHASES.size(); phase++) {
            assertThat((double) p99(latency, phase, SETTLED_SECONDS) / healthy)
                    .as(PHASES.get(phase))
                    .isLessThanOrEqualTo(MAX_RATIO);
        }
    }

    /** Returns the p99 of the calls that were sent in ten seconds of a phase, after these first seconds. */
    private static long p99(long[] latency, int phase, int fromSecond) {
        int from = (phase * PHASE_SECONDS + fromSecond) * CALLS_PER_SECOND;
        long[] sorted = Arrays.copyOfRange(latency, from, from + SETTLED_SECONDS * CALLS_PER_SECOND);
        Arrays.sort(sorted);
        return sorted[sorted.length * 99 / 100];
    }

    /** Returns the percentage of requests that each replica got in the settled part of a phase. */
    private synchronized String shares(int phase) {
        List<Long> before = requests.get(2 * phase);
        List<Long> after = requests.get(2 * phase + 1);
        long all = IntStream.range(0, replicas.size())
                .mapToLong(i -> after.get(i) - before.get(i))
                .sum();
        return IntStream.range(0, replicas.size())
                .mapToObj(i -> String.format(Locale.ROOT, "%.1f %%", 100.0 * (after.get(i) - before.get(i)) / all))
                .toList()
                .toString();
    }
}
