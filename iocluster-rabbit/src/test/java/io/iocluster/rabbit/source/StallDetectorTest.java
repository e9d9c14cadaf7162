package io.iocluster.rabbit.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class StallDetectorTest {

    private static final int PREFETCH = 10;

    private final StallDetector detector = new StallDetector(100, 0);

    @Test
    void detectsAStallWhenMessagesAreReadyAndThePrefetchHasRoom() {
        assertThat(detector.detect(held(3, 50), PREFETCH, ready(7), 10)).isFalse();
        QueueLengthMonitor.QueueDepth secondReport = ready(7);

        assertThat(detector.detect(held(0, 50), PREFETCH, secondReport, 109)).isFalse();
        assertThat(detector.detect(held(0, 50), PREFETCH, secondReport, 110)).isTrue();
    }

    @Test
    void restartsTheTimeoutWithEachDelivery() {
        detector.detect(held(3, 50), PREFETCH, ready(7), 10);

        assertThat(detector.detect(held(3, 51), PREFETCH, ready(7), 110)).isFalse();
        assertThat(detector.detect(held(3, 51), PREFETCH, ready(7), 209)).isFalse();
        assertThat(detector.detect(held(3, 51), PREFETCH, ready(7), 210)).isTrue();
    }

    @Test
    void requiresAReportThatIsNewerThanTheStall() {
        QueueLengthMonitor.QueueDepth oldReport = ready(7);
        detector.detect(held(0, 50), PREFETCH, oldReport, 10);

        assertThat(detector.detect(held(0, 50), PREFETCH, oldReport, 500)).isFalse();
        assertThat(detector.detect(held(0, 50), PREFETCH, ready(0), 510)).isFalse();
    }

    @Test
    void detectsNoStallWhenThePrefetchIsFull() {
        detector.detect(held(PREFETCH, 50), PREFETCH, ready(7), 10);

        assertThat(detector.detect(held(PREFETCH, 50), PREFETCH, ready(7), 500)).isFalse();
    }

    @Test
    void detectsNoStallWhileNothingShouldBeRead() {
        detector.detect(held(0, 50), 0, ready(7), 10);

        assertThat(detector.detect(held(0, 50), 0, ready(7), 500)).isFalse();
    }

    @Test
    void detectsNoStallForAStandbyConsumer() {
        detector.detect(held(0, 0), PREFETCH, ready(7), 10);

        assertThat(detector.detect(held(0, 0), PREFETCH, ready(7), 500)).isFalse();
    }

    private static SourceLoop.SourceSnapshot held(int held, long delivered) {
        return new SourceLoop.SourceSnapshot(Set.of(), 0, held, 0, 0, delivered);
    }

    private static QueueLengthMonitor.QueueDepth ready(long messages) {
        return new QueueLengthMonitor.QueueDepth(messages, 0, 0, false);
    }
}
