package io.iocluster.pipeline.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.CallPermit;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.TestCalls;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.pipeline.outbox.PendingAnswer.PublishStage;
import io.iocluster.testkit.memory.FakeDelivery;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the order in which the answers to one topic or queue are published, by their sizes. */
class OutboxQueueTest {

    private static final int SMALL = 100;
    private static final int MEDIUM = 500 << 10;
    private static final int LARGE = 3 << 20;
    private static final long MAX_BYTES = 8 << 20;

    private final InFlightWindow window = new InFlightWindow(100, 100, 100, 1L << 30, () -> {});
    private final OutboxQueue queue = OutboxQueue.of(PublishStage.CONFIGURED);

    @Test
    void anAnswerWaitsOnlyForAnswersOfItsSize() {
        assertThat(tryPublish(LARGE)).isTrue();
        assertThat(tryPublish(LARGE)).isFalse();

        assertThat(tryPublish(MEDIUM)).isTrue();
        assertThat(tryPublish(SMALL)).isTrue();
    }

    @Test
    void eachSizeHasItsPartOfTheBytes() {
        assertThat(Stream.generate(() -> tryPublish(MEDIUM)).limit(10).filter(published -> published))
                .hasSize((int) (MAX_BYTES / 4 / MEDIUM));
        assertThat(Stream.generate(() -> tryPublish(64 << 10)).limit(100).filter(published -> published))
                .hasSize((int) (MAX_BYTES / 2 / (64 << 10)));
    }

    @Test
    void waitingAnswersOfEachSizeArePublishedInTurn() {
        List<PendingAnswer> small = park(SMALL, 3);
        List<PendingAnswer> medium = park(MEDIUM, 3);
        List<PendingAnswer> large = park(LARGE, 3);

        assertThat(Stream.generate(() -> queue.pollPublishable(0, MAX_BYTES)).limit(8))
                .containsExactly(
                        small.get(0),
                        medium.get(0),
                        large.get(0),
                        small.get(1),
                        medium.get(1),
                        small.get(2),
                        medium.get(2),
                        null);
    }

    @Test
    void tooManyBytesRemoveLargeAnswersFirst() {
        park(SMALL, 3);
        park(MEDIUM, 3);
        List<PendingAnswer> large = park(LARGE, 3);

        assertThat(queue.removeExcess(0, LARGE + 1)).containsExactly(large.get(0), large.get(1));
    }

    @Test
    void tooManyAnswersRemoveSmallOnesFirst() {
        park(LARGE, 3);
        List<PendingAnswer> small = park(SMALL, 3);

        assertThat(queue.removeExcess(2, 0)).containsExactly(small.get(0), small.get(1));
    }

    @Test
    void aProbePrefersAnAnswerThatWasNeverTriedWhateverItsSize() {
        PendingAnswer failed = answer(SMALL);
        failed.failures = 1;
        queue.enqueue(failed);
        queue.recordFailure(failed, "no such topic", true, 0);
        long later = PublishBackoff.nanosAfter(1);
        List<PendingAnswer> large = park(LARGE, 1);

        assertThat(queue.pollProbe(later)).isSameAs(large.get(0));
        queue.release(large.get(0), false);
        assertThat(queue.pollProbe(later)).isSameAs(failed);
    }

    private boolean tryPublish(int bytes) {
        return queue.tryReserveOrEnqueue(answer(bytes), MAX_BYTES);
    }

    private List<PendingAnswer> park(int bytes, int count) {
        List<PendingAnswer> answers =
                IntStream.range(0, count).mapToObj(i -> answer(bytes)).toList();
        answers.forEach(queue::enqueue);
        return answers;
    }

    private PendingAnswer answer(int bytes) {
        CallPermit permit = window.acquireBranch();
        permit.tryEnd();
        permit.addBytes(bytes);
        Call call = TestCalls.of(new FakeDelivery("{}"), permit);
        return PendingAnswer.of(call, null, new byte[bytes], null, null);
    }
}
