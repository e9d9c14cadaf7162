package io.iocluster.rabbit.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.rabbit.source.QueueLengthMonitor.QueueDepth;
import io.iocluster.rabbit.source.QueueLengthMonitor.QueueObservation;
import io.iocluster.transport.SourceStatus.Lag;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QueueLagTest {

    private static final long NOW = 1_000_000;

    @Test
    void countsReadyMessagesAndThoseThatTheNodeHolds() {
        assertThat(lag(observed(6, 0, 0, holds(4, 0)), holds(4, NOW - 50)))
                .isEqualTo(new Lag("q", null, 10, 50, false));
    }

    @Test
    void countsMessagesOfOtherNodesIfTheyAreKnown() {
        assertThat(lag(observed(6, 9, 0, holds(4, NOW - 50)), holds(4, NOW - 50)))
                .isEqualTo(new Lag("q", null, 15, 5, 50, false));
    }

    @Test
    void countsNoMessagesOfOtherNodesIfTheyAreUnknown() {
        assertThat(lag(observed(6, 0, 0, holds(4, 0)), holds(4, 0)).heldByOtherConsumers())
                .isZero();
    }

    @Test
    void doesNotCountItsOwnNewDeliveriesAsThoseOfOtherNodes() {
        QueueObservation beforeAnyDelivery = observed(0, 300, 0, holds(0, 0));

        assertThat(lag(beforeAnyDelivery, holds(300, NOW))).isEqualTo(new Lag("q", null, 300, 0, 0, false));
    }

    @Test
    void countsMessagesSettledSinceTheReportAsHeldByOthersAndNotAsReady() {
        Lag lag = lag(observed(2, 300, 0, holds(7, 0)), holds(7, 0));

        assertThat(lag.messages() - lag.heldByOtherConsumers()).isEqualTo(2 + 7);
    }

    @Test
    void keepsTheLastReportWhileTheBrokerIsUnreachable() {
        QueueObservation observed = observed(0, 0, 0, holds(300, NOW - 70));

        assertThat(lag(observed, null)).isEqualTo(new Lag("q", null, 300, 70, true));
    }

    @Test
    void countsDeliveriesSinceTheReportOnce() {
        assertThat(lag(observed(300, 0, 0, holds(0, 0)), holds(300, NOW)).messages())
                .isEqualTo(300);
    }

    @Test
    void countsMessagesDeliveredSinceAnEmptyReport() {
        assertThat(lag(observed(0, 0, 0, holds(0, 0)), holds(8, NOW - 5))).isEqualTo(new Lag("q", null, 8, 5, false));
    }

    @Test
    void usesTheHeadTimestampIfTheNodeHoldsNothing() {
        assertThat(lag(observed(6, 0, NOW - 900, holds(0, 0)), holds(0, 0)).oldestAgeMillis())
                .isEqualTo(900);
    }

    @Test
    void reportsAWeekAtMostIfATimestampIsWrong() {
        assertThat(QueueLag.of("q", observed(6, 0, 1, holds(0, 0)), holds(0, 0), 1_795_000_000_000L)
                        .oldestAgeMillis())
                .isEqualTo(Duration.ofDays(7).toMillis());
        assertThat(QueueLag.of("q", observed(0, 0, 0, holds(1, 1)), holds(1, 1), 1_795_000_000_000L)
                        .oldestAgeMillis())
                .isEqualTo(Duration.ofDays(7).toMillis());
    }

    @Test
    void hasNoNegativeAgeIfATimestampIsInTheFuture() {
        assertThat(lag(observed(6, 0, NOW + 900, holds(0, 0)), holds(0, 0)).oldestAgeMillis())
                .isZero();
    }

    @Test
    void hasNoAgeWithoutMessages() {
        assertThat(lag(observed(0, 0, NOW - 900, holds(0, 0)), holds(0, 0)).oldestAgeMillis())
                .isZero();
    }

    private static Lag lag(QueueObservation observed, SourceLoop.SourceSnapshot live) {
        return QueueLag.of("q", observed, live, NOW);
    }

    private static QueueObservation observed(
            long ready, long unacknowledged, long headTimestampMillis, SourceLoop.SourceSnapshot source) {
        return new QueueObservation(new QueueDepth(ready, unacknowledged, headTimestampMillis, false), source, null);
    }

    private static SourceLoop.SourceSnapshot holds(int messages, long oldestSinceMillis) {
        return new SourceLoop.SourceSnapshot(Set.of(), 0, messages, oldestSinceMillis, 0, 0);
    }
}
