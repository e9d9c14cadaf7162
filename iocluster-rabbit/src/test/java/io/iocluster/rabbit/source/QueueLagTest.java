package io.iocluster.rabbit.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.rabbit.source.QueueLengthMonitor.QueueDepth;
import io.iocluster.rabbit.source.QueueLengthMonitor.QueueObservation;
import io.iocluster.transport.SourceStatus.Lag;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QueueLagTest {

    private static final long NOW = 1_000_000;

    @Test
    void isWhatWaitsOnTheQueueAndWhatTheNodeHolds() {
        assertThat(lag(told(6, 0, 0, holds(4, 0)), holds(4, NOW - 50))).isEqualTo(new Lag("q", null, 10, 50, false));
    }

    @Test
    void countsWhatOtherNodesHoldWhereThatIsKnown() {
        assertThat(lag(told(6, 9, 0, holds(4, NOW - 50)), holds(4, NOW - 50)))
                .isEqualTo(new Lag("q", null, 15, 5, 50, false));
    }

    @Test
    void knowsOfNoneElsewhereWhereNobodySays() {
        assertThat(lag(told(6, 0, 0, holds(4, 0)), holds(4, 0)).heldByOtherConsumers())
                .isZero();
    }

    @Test
    void takesNothingForHeldElsewhereThatTheNodeHoldsItself() {
        QueueObservation beforeTheNodeTookAny = told(0, 300, 0, holds(0, 0));

        assertThat(lag(beforeTheNodeTookAny, holds(300, NOW))).isEqualTo(new Lag("q", null, 300, 0, 0, false));
    }

    @Test
    void takesWhatTheNodeSettledSinceTheBrokerCountedForHeldElsewhereAndNotForWaiting() {
        Lag lag = lag(told(2, 300, 0, holds(7, 0)), holds(7, 0));

        assertThat(lag.messages() - lag.heldByOtherConsumers()).isEqualTo(2 + 7);
    }

    @Test
    void isTheLastKnownWhileTheBrokerIsAwayAndTheNodeHasLostWhatItHeld() {
        QueueObservation told = told(0, 0, 0, holds(300, NOW - 70));

        assertThat(lag(told, null)).isEqualTo(new Lag("q", null, 300, 70, true));
    }

    @Test
    void countsNothingTwiceThatWasDeliveredSinceTheBrokerWasAsked() {
        assertThat(lag(told(300, 0, 0, holds(0, 0)), holds(300, NOW)).messages())
                .isEqualTo(300);
    }

    @Test
    void knowsOfWhatCameSince() {
        assertThat(lag(told(0, 0, 0, holds(0, 0)), holds(8, NOW - 5))).isEqualTo(new Lag("q", null, 8, 5, false));
    }

    @Test
    void asksTheHeadOfTheQueueForItsAgeWhereTheNodeHoldsNothing() {
        assertThat(lag(told(6, 0, NOW - 900, holds(0, 0)), holds(0, 0)).oldestAgeMillis())
                .isEqualTo(900);
    }

    @Test
    void nothingIsNotOld() {
        assertThat(lag(told(0, 0, NOW - 900, holds(0, 0)), holds(0, 0)).oldestAgeMillis())
                .isZero();
    }

    private static Lag lag(QueueObservation told, SourceLoop.SourceSnapshot live) {
        return QueueLag.of("q", told, live, NOW);
    }

    private static QueueObservation told(
            long ready, long unacknowledged, long headMillis, SourceLoop.SourceSnapshot source) {
        return new QueueObservation(new QueueDepth(ready, unacknowledged, headMillis, false), source, null);
    }

    private static SourceLoop.SourceSnapshot holds(int messages, long oldestSinceMillis) {
        return new SourceLoop.SourceSnapshot(Set.of(), 0, messages, oldestSinceMillis, 0, 0);
    }
}
