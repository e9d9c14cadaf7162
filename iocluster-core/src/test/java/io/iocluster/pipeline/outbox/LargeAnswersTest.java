package io.iocluster.pipeline.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.CallPermit;
import io.iocluster.pipeline.FakeTransport;
import io.iocluster.pipeline.ManualClock;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.TestCalls;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.TraceContext;
import io.iocluster.transport.Transport;
import io.iocluster.transport.inprocess.InProcessSink;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * Tests how long answers wait beside larger ones to the same reply-to, with a broker that takes a limited number of bytes a second, in
 * the order in which they are published. The test advances the clock by single milliseconds.
 */
class LargeAnswersTest {

    private static final String REPLY_TO = "answers";
    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private final ManualClock clock = new ManualClock();
    private final SlowLink link = new SlowLink(16 * MIB);
    private final InFlightWindow window = new InFlightWindow(512, 1_000, 2_000, 256L * MIB, () -> {});
    private final AnswerOutbox outbox =
            new AnswerOutbox(link.transport(), window, PipelineEvents.NONE, clock, AnswerSettings.DEFAULTS);
    private final byte[] small = new byte[300];
    private final byte[] medium = new byte[500 * KIB];
    private final byte[] large = new byte[8 * MIB];

    private final WaitTimes smallWaits = new WaitTimes();
    private final WaitTimes mediumWaits = new WaitTimes();
    private final WaitTimes largeWaits = new WaitTimes();

    @Test
    void aSmallAnswerWaitsLessThanASecondBesideAnyNumberOfLargeOnes() {
        for (int ms = 0; ms < 20_000; ms++) {
            if (window.bytes() < 100L * MIB) {
                publish(large, largeWaits);
            }
            if (ms % 5 == 0) {
                publish(small, smallWaits);
            }
            advance();
        }

        assertThat(smallWaits.count).isGreaterThan(3_800);
        assertThat(smallWaits.longest).isLessThan(LONGEST_WAIT);
        assertThat(largeWaits.count).as("16 MiB a second for 20 s").isBetween(36, 40);
    }

    @Test
    void aMediumAnswerWaitsLessThanASecondBesideAnyNumberOfLargeOnes() {
        for (int ms = 0; ms < 20_000; ms++) {
            if (window.bytes() < 100L * MIB) {
                publish(large, largeWaits);
            }
            if (ms % 200 == 0) {
                publish(medium, mediumWaits);
            }
            advance();
        }

        assertThat(mediumWaits.longest).isLessThan(LONGEST_WAIT);
        assertThat(mediumWaits.count).isGreaterThan(90);
        assertThat(largeWaits.count).isGreaterThan(30);
    }

    @Test
    void smallAnswersThatFillTheLinkLeaveLargeOnesTheirTurn() {
        for (int ms = 0; ms < 20_000; ms++) {
            while (smallWaits.open < 900) {
                publish(new byte[60 * KIB], smallWaits);
            }
            if (largeWaits.open < 3) {
                publish(large, largeWaits);
            }
            advance();
        }

        assertThat(largeWaits.count).isGreaterThan(15);
        assertThat(smallWaits.count).isGreaterThan(1_000);
    }

    private void publish(byte[] encoded, WaitTimes waits) {
        CallPermit permit = window.acquireBranch();
        permit.tryEnd();
        permit.addBytes(encoded.length);
        Call call = TestCalls.of(new FakeDelivery("{}"), permit);
        outbox.publish(PendingAnswer.of(call, null, encoded, REPLY_TO, waits.start()));
    }

    private void advance() {
        clock.advance(Duration.ofMillis(1));
        link.transferForOneMilli();
        outbox.tick();
    }

    private final class WaitTimes {

        private int open;
        private int count;
        private Duration longest = Duration.ZERO;

        PublishListener start() {
            long start = clock.nanos();
            open++;
            return new PublishListener() {
                @Override
                public void confirmed(PendingAnswer answer) {
                    answer.call().permit().release();
                    Duration wait = Duration.ofNanos(clock.nanos() - start);
                    longest = wait.compareTo(longest) > 0 ? wait : longest;
                    open--;
                    count++;
                }

                @Override
                public void tooLarge(PendingAnswer answer, PublishResult.TooLarge refusal) {
                    throw new AssertionError(refusal.problem());
                }

                @Override
                public void abandoned(PendingAnswer answer, String problem, Throwable bug) {
                    throw new AssertionError(problem, bug);
                }
            };
        }
    }

    /** Confirms each answer when its bytes are transferred, at a constant rate. */
    private static final class SlowLink extends InProcessSink {

        private final Queue<Transfer> transfers = new ArrayDeque<>();
        private final long bytesPerMilli;
        private long transferable;

        private record Transfer(int bytes, CompletableFuture<PublishResult> result) {}

        SlowLink(long bytesPerSecond) {
            this.bytesPerMilli = bytesPerSecond / 1_000;
        }

        void transferForOneMilli() {
            transferable += bytesPerMilli;
            while (!transfers.isEmpty() && transfers.peek().bytes() <= transferable) {
                Transfer done = transfers.remove();
                transferable -= done.bytes();
                done.result().complete(PublishResult.CONFIRMED);
            }
            if (transfers.isEmpty()) {
                transferable = 0;
            }
        }

        @Override
        public CompletionStage<PublishResult> publish(
                Delivery request, byte[] answer, String replyTo, TraceContext trace) {
            assertThat(replyTo).as("diverted").isEqualTo(REPLY_TO);
            Transfer next = new Transfer(answer.length, new CompletableFuture<>());
            transfers.add(next);
            return next.result();
        }

        Transport transport() {
            return Transport.of("slow", new FakeTransport(), this);
        }

        @Override
        public boolean isReplyToAllowed(Delivery request, String replyTo) {
            return true;
        }

        @Override
        public CompletionStage<PublishResult> publishDeadLetter(Delivery request, DeadLetterReason reason) {
            throw new AssertionError(reason);
        }
    }
}
