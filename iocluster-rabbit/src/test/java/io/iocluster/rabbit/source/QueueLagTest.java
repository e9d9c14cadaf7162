package io.iocluster.rabbit.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.rabbit.source.QueueLengthMonitor.QueueDepth;
import io.iocluster.rabbit.source.QueueLengthMonitor.QueueObservation;
import io.iocluster.transport.SourceStatus.Lag;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueLagTest {

    private static final long NOW = 1_000_000;

    /**
     * What the broker reported when the node held some messages, and what the node holds now. A report without
     * unacknowledged messages says nothing about other nodes.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            # ready, unacknowledged, age of the head, held then, held now, their age, messages, held by others, age
            6,   0,   ,     4, 4,   50, 10,  0,   50
            6,   9,   ,     4, 4,   50, 15,  5,   50
            6,   0,   ,     4, 4,   ,   10,  0,   0
            # its new deliveries are not those of other nodes
            0,   300, ,     0, 300, 0,  300, 0,   0
            # settled since the report: held by others, and not ready
            2,   300, ,     7, 7,   ,   302, 293, 0
            # delivered since the report: counted once
            300, 0,   ,     0, 300, 0,  300, 0,   0
            0,   0,   ,     0, 8,   5,  8,   0,   5
            6,   0,   900,  0, 0,   ,   6,   0,   900
            6,   0,   -900, 0, 0,   ,   6,   0,   0
            0,   0,   900,  0, 0,   ,   0,   0,   0
            """)
    void countsReadyAndHeldMessages(
            long ready,
            long unacknowledged,
            Long headAge,
            int heldThen,
            int held,
            Long heldAge,
            long messages,
            long byOthers,
            long age) {
        long head = headAge == null ? 0 : NOW - headAge;
        SourceLoop.SourceSnapshot live = holds(held, heldAge == null ? 0 : NOW - heldAge);

        assertThat(lag(observed(ready, unacknowledged, head, holds(heldThen, 0)), live))
                .isEqualTo(new Lag("q", null, messages, byOthers, age, false));
    }

    @Test
    void keepsTheLastReportWhileTheBrokerIsUnreachable() {
        QueueObservation observed = observed(0, 0, 0, holds(300, NOW - 70));

        assertThat(lag(observed, null)).isEqualTo(new Lag("q", null, 300, 70, true));
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
