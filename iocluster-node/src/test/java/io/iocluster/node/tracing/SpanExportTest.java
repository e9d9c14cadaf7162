package io.iocluster.node.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.trace.MessageTrace.SettlementType;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.Collection;
import org.junit.jupiter.api.Test;

/** Tests the export of spans to a collector. */
class SpanExportTest extends TracingFixture {

    @Test
    void countsExportedSpans() {
        use(tracing("flush-timeout: 1m"));

        tracing.startMessage(new TracedDelivery(SENT), null).settled(SettlementType.ACKNOWLEDGED);
        tracing.startMessage(new TracedDelivery(SENT), null).settled(SettlementType.ACKNOWLEDGED);
        tracing.close();

        assertThat(tracing.exported()).isEqualTo(2);
        assertThat(tracing.failed()).isZero();
        assertThat(tracing.dropped()).isZero();
    }

    @Test
    void countsSpansThatTheCollectorRejects() {
        use(tracing("flush-timeout: 1m", new FixedResultExporter(CompletableResultCode.ofFailure())));

        tracing.startMessage(new TracedDelivery(SENT), null).settled(SettlementType.ACKNOWLEDGED);
        tracing.close();

        assertThat(tracing.exported()).isZero();
        assertThat(tracing.failed()).isEqualTo(1);
        assertThat(tracing.dropped()).isZero();
    }

    @Test
    void dropsAndCountsSpansWhenTheQueueIsFull() {
        CompletableResultCode never = new CompletableResultCode();
        use(tracing("max-queue-size: 4\n  max-batch-size: 1\n  flush-timeout: 0s", new FixedResultExporter(never)));

        for (int i = 0; i < 100; i++) {
            tracing.startMessage(new TracedDelivery(SENT), null).settled(SettlementType.ACKNOWLEDGED);
        }

        await().until(() -> tracing.dropped() >= 90);
    }

    @Test
    void closeDoesNotWaitLongerThanTheFlushTimeout() {
        // Without the flush timeout, the close would wait for two minutes until the export times out.
        use(tracing("timeout: 2m\n  flush-timeout: 50ms", new FixedResultExporter(new CompletableResultCode())));
        tracing.startMessage(new TracedDelivery(SENT), null).settled(SettlementType.ACKNOWLEDGED);
        long start = System.nanoTime();

        tracing.close();

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(1));
    }

    /** An exporter that always returns the same result. */
    private record FixedResultExporter(CompletableResultCode answer) implements SpanExporter {

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            return answer;
        }

        @Override
        public CompletableResultCode flush() {
            return answer;
        }

        @Override
        public CompletableResultCode shutdown() {
            return answer;
        }
    }
}
