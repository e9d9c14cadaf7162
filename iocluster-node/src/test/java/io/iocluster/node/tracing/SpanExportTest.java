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

/** What becomes of spans on their way to a collector. */
class SpanExportTest extends TracingFixture {

    @Test
    void countsWhatIsExported() {
        tracing.startMessage(new TracedDelivery(SENT), null).settled(SettlementType.ACKNOWLEDGED);
        tracing.startMessage(new TracedDelivery(SENT), null).settled(SettlementType.ACKNOWLEDGED);
        tracing.close();

        assertThat(tracing.exported()).isEqualTo(2);
        assertThat(tracing.failed()).isZero();
        assertThat(tracing.dropped()).isZero();
    }

    @Test
    void countsWhatTheCollectorDoesNotTake() {
        use(tracing("", new Answering(CompletableResultCode.ofFailure())));

        tracing.startMessage(new TracedDelivery(SENT), null).settled(SettlementType.ACKNOWLEDGED);
        tracing.close();

        assertThat(tracing.exported()).isZero();
        assertThat(tracing.failed()).isEqualTo(1);
        assertThat(tracing.dropped()).isZero();
    }

    @Test
    void dropsAndCountsWhatFindsNoRoom() {
        CompletableResultCode never = new CompletableResultCode();
        use(tracing("max-queue-size: 4\n  max-batch-size: 1\n  flush-timeout: 0s", new Answering(never)));

        for (int i = 0; i < 100; i++) {
            tracing.startMessage(new TracedDelivery(SENT), null).settled(SettlementType.ACKNOWLEDGED);
        }

        await().until(() -> tracing.dropped() >= 90);
    }

    @Test
    void doesNotEndLaterThanItMayForACollectorThatDoesNotAnswer() {
        use(tracing("flush-timeout: 50ms", new Answering(new CompletableResultCode())));
        tracing.startMessage(new TracedDelivery(SENT), null).settled(SettlementType.ACKNOWLEDGED);
        long start = System.nanoTime();

        tracing.close();

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    }

    /** A collector that always says the same. */
    private record Answering(CompletableResultCode answer) implements SpanExporter {

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
