package io.iocluster.hedge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.EgressMode;
import io.iocluster.egress.EgressSettings;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.testkit.memory.MemoryBroker;
import io.iocluster.testkit.memory.MemoryTransport;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.target.TargetServer;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Traced;
import io.iocluster.trace.Tracing;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Measures the latency of calls to a target that answers in 20 ms, but 2 % of the requests in 2 s, without and with hedging. The suite does
 * not run it, because it takes a minute and needs an idle machine. Run it with {@code -Dtest=HedgedTailMeasurement}.
 */
class HedgedTailMeasurement {

    private static final int CALLS_PER_SECOND = 300;
    private static final Duration WARM_UP = Duration.ofSeconds(8);
    private static final Duration MEASURED = Duration.ofSeconds(20);
    private static final int BUDGET_PERCENT = 5;

    @Test
    void hedgingCutsTheTail() {
        Figures plain = measure(HedgeSettings.DEFAULTS);
        Figures hedged =
                measure(new HedgeSettings(HedgeDelay.parse("p95"), BUDGET_PERCENT, HedgeSettings.DEFAULTS.minDelay()));

        assertThat(plain.percentile(99)).isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(2));
        assertThat(hedged.percentile(99)).isLessThanOrEqualTo(3 * hedged.percentile(50));
        assertThat(hedged.extraAttempts()).isLessThanOrEqualTo(BUDGET_PERCENT / 100.0);
    }

    private static Figures measure(HedgeSettings hedge) {
        MemoryBroker broker = new MemoryBroker();
        Events events = new Events();
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        try (TargetServer target = TargetServer.start(0, 1, false);
                Pipeline pipeline = new Pipeline(
                        settings(hedge), new MemoryTransport(broker), events, Tracing.OFF, Platform.system())) {
            pipeline.start();
            String envelope = "{\"url\": \"" + target.url("/tail?ms=20&percent=2&slow=2000") + "\"}";
            AtomicInteger sent = new AtomicInteger();
            ScheduledFuture<?> load = timer.scheduleAtFixedRate(
                    () -> {
                        broker.send(envelope);
                        sent.incrementAndGet();
                    },
                    0,
                    TimeUnit.SECONDS.toNanos(1) / CALLS_PER_SECOND,
                    TimeUnit.NANOSECONDS);
            await().pollDelay(WARM_UP).until(() -> true);
            Figures figures =
                    new Figures(hedge.after().toString(), target.requestLog().requests(), sent.get());
            events.figures.set(figures);
            await().pollDelay(MEASURED).timeout(MEASURED.plusMinutes(1)).until(() -> true);
            figures.requests = target.requestLog().requests() - figures.requests;
            figures.calls = sent.get() - figures.calls;
            load.cancel(false);
            await().until(() -> broker.acknowledgedCount() == sent.get());
            figures.print();
            return figures;
        } finally {
            timer.shutdownNow();
        }
    }

    private static PipelineSettings settings(HedgeSettings hedge) {
        DestinationSettings partner = new DestinationSettings(
                List.of("127.0.0.1"),
                "partner",
                RecordCopy.with(DestinationPolicy.DEFAULTS, "hedge", hedge, "timeout", Duration.ofSeconds(10)));
        return RecordCopy.with(
                TestPipelines.settings(WorkerSettings.DEFAULTS, DestinationPolicy.DEFAULTS, partner),
                "egress",
                RecordCopy.with(EgressSettings.DEFAULTS, "mode", EgressMode.OPEN));
    }

    /** Passes the events to the figures once these are measured. */
    private static final class Events implements PipelineEvents {

        private final AtomicReference<Figures> figures = new AtomicReference<>();

        @Override
        public void callEnded(
                String destination, Outcome outcome, int status, ErrorCode error, long nanos, Traced call) {
            Figures current = figures.get();
            if (current != null) {
                current.nanos.add(nanos);
            }
        }

        @Override
        public void hedged(String destination, HedgeResult result) {
            Figures current = figures.get();
            if (current != null) {
                current.hedges.add(result);
            }
        }
    }

    /** What was measured. The target's requests and the calls are first those before the measurement. */
    private static final class Figures {

        private final String name;
        private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();
        private final Queue<HedgeResult> hedges = new ConcurrentLinkedQueue<>();
        private long requests;
        private int calls;

        Figures(String name, long requests, int calls) {
            this.name = name;
            this.requests = requests;
            this.calls = calls;
        }

        long percentile(double percent) {
            long[] sorted = nanos.stream().mapToLong(each -> each).sorted().toArray();
            return sorted[(int) Math.ceil(sorted.length * percent / 100) - 1];
        }

        double extraAttempts() {
            return (double) requests / calls - 1;
        }

        @SuppressWarnings("SystemOut") // The result of the measurement.
        void print() {
            StringBuilder line = new StringBuilder("hedge.after " + name + ": " + nanos.size() + " calls");
            for (double percent : new double[] {50, 90, 95, 98, 99, 99.5, 99.9}) {
                line.append(String.format(", p%s %.1f ms", percent, percentile(percent) / 1e6));
            }
            line.append(String.format(", extra attempts %.2f %%", 100 * extraAttempts()));
            Arrays.stream(HedgeResult.values())
                    .forEach(each -> line.append(", ")
                            .append(each.label())
                            .append(' ')
                            .append(hedges.stream().filter(each::equals).count()));
            System.out.println(line);
        }
    }
}
