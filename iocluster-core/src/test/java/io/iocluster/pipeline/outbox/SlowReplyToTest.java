package io.iocluster.pipeline.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.CallPermit;
import io.iocluster.message.Answer;
import io.iocluster.message.Answer.Timing;
import io.iocluster.message.AnswerEncoder;
import io.iocluster.message.Outcome;
import io.iocluster.pipeline.FakeTransport;
import io.iocluster.pipeline.ManualClock;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.TestCalls;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.transport.PublishResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Tests how much capacity slow reply-tos can take from others, with a clock that the test advances by single milliseconds. */
class SlowReplyToTest {

    private static final Duration LONGEST_STALL = Duration.ofSeconds(1);
    private static final int CALLS_OF_OTHERS = 3_000;
    private static final int MAX_UNCONFIRMED = 1_000;
    private static final int MIB = 1024 * 1024;
    private static final int LARGE_BODY = 510 * 1024;
    private static final PublishResult FULL = new PublishResult.Failed("the queue is full");
    private static final PublishResult MISSING = new PublishResult.UnknownTopicOrQueue("does not exist");

    private final ManualClock clock = new ManualClock();
    private final FakeTransport transport = new FakeTransport();
    private final InFlightWindow window = new InFlightWindow(512, MAX_UNCONFIRMED, 2_000, 256 * MIB, () -> {});
    private final AnswerOutbox publisher =
            new AnswerOutbox(transport, window, PipelineEvents.NONE, clock, AnswerSettings.DEFAULTS);
    private final byte[] encoded = encode(0);
    private final byte[] large = encode(LARGE_BODY);
    private final PublishListener settling = new Settling();

    /** Answers to slow reply-tos, by reply-to, that the broker has and does not confirm. */
    private final Map<String, Queue<FakeTransport.PublishedMessage>> stuck = new HashMap<>();

    private int diverted;
    private int tooLarge;
    private int answered;
    private long refusedSince = -1;
    private long longestStall;

    @Test
    void fiveReplyTosThatConfirmNothingDoNotStallOtherCalls() {
        run(5, 1, 600, 0);

        assertThat(answered).isGreaterThanOrEqualTo(CALLS_OF_OTHERS);
        assertThat(Duration.ofNanos(longestStall)).isLessThan(LONGEST_STALL);
        assertThat(held()).isLessThan(MAX_UNCONFIRMED);
    }

    @Test
    void fiveReplyTosThatConfirmTwoAnswersASecondDoNotStallOtherCalls() {
        run(5, 4, 1, 500);

        assertThat(answered).isGreaterThanOrEqualTo(CALLS_OF_OTHERS);
        assertThat(Duration.ofNanos(longestStall)).isLessThan(LONGEST_STALL);
        assertThat(held()).isLessThan(MAX_UNCONFIRMED);
    }

    @Test
    void oneHundredReplyTosThatConfirmNothingDoNotStallOtherCalls() {
        run(100, 4, 25, 0);

        assertThat(answered).isGreaterThanOrEqualTo(CALLS_OF_OTHERS);
        assertThat(Duration.ofNanos(longestStall)).isLessThan(LONGEST_STALL);
        assertThat(held()).isLessThanOrEqualTo(MAX_UNCONFIRMED + 100);
    }

    @Test
    void sixThousandReplyTosThatDoNotExistTakeABoundedPartOfTheNode() {
        int mostHeld = 0;
        for (int ms = 1; ms <= 20_000; ms++) {
            if (ms > 1_000 && ms % 2 == 0) {
                offer("slow-invented-" + ms / 2 % 6_000);
            }
            stall(offer("others"));
            drain();
            confirm("others", Integer.MAX_VALUE);
            refuse(MISSING);
            tick();
            mostHeld = Math.max(mostHeld, window.held());
        }
        stall(true);

        assertThat(Duration.ofNanos(longestStall)).isLessThan(Duration.ofMillis(100));
        assertThat(mostHeld).isLessThan(MAX_UNCONFIRMED / 3);
        assertThat(answered).isEqualTo(20_000);
        assertThat(diverted).isGreaterThan(9_000);
    }

    @Test
    void answersToReplyTosThatDoNotExistAreDivertedEvenIfNoOtherConfirms() {
        for (int ms = 1; ms <= 2_000; ms++) {
            offer("slow-invented-" + ms);
            drain();
            refuse(MISSING);
            tick();
        }

        assertThat(window.held()).isLessThan(MAX_UNCONFIRMED / 3);
        assertThat(diverted).isGreaterThan(1_500);
    }

    @Test
    void aReplyToThatRefusesLargeAnswersTakesAtMostItsShareOfTheBytes() {
        verify("slow-full");
        verify("others");
        long mostBytes = 0;
        for (int ms = 1; ms <= 20_000; ms++) {
            if (ms % 50 == 0) {
                offer("slow-full", large, LARGE_BODY);
            }
            if (ms % 20 == 0) {
                stall(offer("others"));
            }
            drain();
            confirm("others", Integer.MAX_VALUE);
            refuse(FULL);
            tick();
            mostBytes = Math.max(mostBytes, window.bytes());
        }
        stall(true);

        assertThat(mostBytes).isBetween(24L * MIB, 34L * MIB);
        assertThat(Duration.ofNanos(longestStall)).isLessThan(Duration.ofMillis(100));
        assertThat(answered).isEqualTo(1_001);
        assertThat(diverted).isGreaterThan(300);
    }

    @Test
    void answersStayWithTheirReplyTosIfNoneConfirms() {
        verify("slow-full");
        verify("slow-other");
        for (int ms = 1; ms <= 20_000; ms++) {
            if (ms % 50 == 0) {
                offer("slow-full", large, LARGE_BODY);
                offer("slow-other", large, LARGE_BODY);
            }
            drain();
            refuse(FULL);
            tick();
        }

        assertThat(diverted).isZero();
        assertThat(offer("others")).isFalse();
        assertThat(window.bytes()).isLessThan(193L * MIB);
    }

    @Test
    void answersStayWithAReplyToThatRefusesNothingAfterAnOutageInWhichAllFailed() {
        verify("slow-large");
        verify("others");
        transport.connected = false;
        for (int ms = 1; ms <= 5_000; ms++) {
            if (ms % 50 == 0) {
                offer("slow-large", large, LARGE_BODY);
            }
            drain();
            refuse(FULL);
            tick();
        }
        transport.connected = true;
        for (int ms = 1; ms <= 5_000; ms++) {
            offer("others");
            drain();
            confirm("others", Integer.MAX_VALUE);
            if (ms % 20 == 0) {
                confirm("slow-large", Integer.MAX_VALUE);
            }
            tick();
        }

        assertThat(diverted).isZero();
        assertThat(window.bytes()).isLessThan(MIB);
    }

    @Test
    void answersThatFailTogetherAreTriedAgainAfterTheFirstDelay() {
        verify("slow-large");
        for (int i = 0; i < 100; i++) {
            offer("slow-large");
        }
        drain();
        refuse(FULL);

        for (int ms = 1; ms <= 200; ms++) {
            tick();
            drain();
        }

        assertThat(held()).isEqualTo(1);
    }

    @Test
    void aReplyToThatConfirmsInTimeGetsAllItsAnswers() {
        for (int ms = 0; ms < 2_000; ms++) {
            for (int i = 0; i < 20; i++) {
                offer("busy");
            }
            drain();
            confirm("busy", 10);
            tick();
        }

        assertThat(diverted).isZero();
        assertThat(answered).isGreaterThan(19_000);
    }

    @Test
    void manyAnswersThatAreConfirmedAtOnceDoNotOverflowTheStack() throws Exception {
        int answers = 20_000;
        InFlightWindow large = new InFlightWindow(answers, 2, answers, 1L << 30, () -> {});
        AnswerOutbox publishing =
                new AnswerOutbox(transport, large, PipelineEvents.NONE, clock, AnswerSettings.DEFAULTS);
        for (int i = 0; i < answers; i++) {
            Call call = TestCalls.of(new FakeDelivery("{}"), large.acquireBranch());
            publishing.publish(PendingAnswer.of(call, null, encoded, "busy", settling));
        }

        transport.atOnce = new PublishResult.TooLarge("over 1 MB");
        transport.nextPublished().confirm();

        assertThat(tooLarge).isEqualTo(answers - 1);
        assertThat(large.held()).isZero();
    }

    /**
     * Offers 4,000 calls a second with slow reply-tos and 2,000 others, until enough of the others are answered.
     *
     * @param together how many slow reply-tos get calls at the same time
     * @param millisPerReplyTo for how long each of them does
     * @param millisPerConfirmation between two confirmations of a slow reply-to; 0: it confirms nothing
     */
    private void run(int replyTos, int together, int millisPerReplyTo, int millisPerConfirmation) {
        for (int ms = 1; ms <= 20_000 && answered < CALLS_OF_OTHERS; ms++) {
            for (int i = 0; i < 4; i++) {
                offer("slow-" + (ms / millisPerReplyTo + i % together) % replyTos);
            }
            offer("others");
            stall(offer("others"));
            drain();
            confirm("others", Integer.MAX_VALUE);
            if (millisPerConfirmation > 0 && ms % millisPerConfirmation == 0) {
                for (int replyTo = 0; replyTo < replyTos; replyTo++) {
                    confirm("slow-" + replyTo, 1);
                }
            }
            tick();
        }
        stall(true);
    }

    private static byte[] encode(int bodyBytes) {
        byte[] body = new byte[bodyBytes];
        Arrays.fill(body, (byte) 'x');
        return new AnswerEncoder()
                .encode(new Answer(
                        "i",
                        Outcome.ANSWERED,
                        200,
                        List.of(),
                        body,
                        false,
                        null,
                        1,
                        "node-1",
                        new Timing(0, 0, -1, -1, -1, -1),
                        null));
    }

    private void stall(boolean accepted) {
        if (refusedSince >= 0) {
            longestStall = Math.max(longestStall, clock.nanos() - refusedSince);
        }
        if (accepted) {
            refusedSince = -1;
        } else if (refusedSince < 0) {
            refusedSince = clock.nanos();
        }
    }

    private boolean offer(String replyTo) {
        return offer(replyTo, encoded, 0);
    }

    /** Ends a call at once if the window has room for it. */
    private boolean offer(String replyTo, byte[] answer, int bodyBytes) {
        CallPermit permit = window.tryAcquire(100);
        if (permit == null) {
            return false;
        }
        FakeDelivery delivery = new FakeDelivery("{}");
        permit.tryEnd();
        permit.addBytes(bodyBytes + answer.length);
        Call call = TestCalls.of(delivery, permit);
        publisher.publish(PendingAnswer.of(call, null, answer, replyTo, settling));
        return true;
    }

    private void verify(String replyTo) {
        offer(replyTo);
        drain();
        confirm(replyTo, 1);
    }

    /** Reads the published answers, and confirms those to the configured topic or queue. */
    private void drain() {
        FakeTransport.PublishedMessage next = transport.published.poll();
        while (next != null) {
            if (next.replyTo() == null) {
                diverted++;
                next.confirm();
            } else {
                stuck.computeIfAbsent(next.replyTo(), replyTo -> new ArrayDeque<>())
                        .add(next);
            }
            next = transport.published.poll();
        }
    }

    private void confirm(String replyTo, int max) {
        Queue<FakeTransport.PublishedMessage> waiting = stuck.getOrDefault(replyTo, new ArrayDeque<>());
        for (int i = 0; i < max; i++) {
            if (waiting.isEmpty()) {
                drain();
            }
            FakeTransport.PublishedMessage next = waiting.poll();
            if (next == null) {
                return;
            }
            if (!replyTo.startsWith("slow")) {
                answered++;
            }
            next.confirm();
        }
    }

    /** Ends all publishes to slow reply-tos with this result. */
    private void refuse(PublishResult result) {
        stuck.values()
                .forEach(published -> published.forEach(each -> each.result().complete(result)));
        stuck.clear();
    }

    private void tick() {
        clock.advance(Duration.ofMillis(1));
        publisher.tick();
    }

    /** Returns how many answers to slow reply-tos the broker's client holds. */
    private int held() {
        return stuck.values().stream().mapToInt(Queue::size).sum();
    }

    private final class Settling implements PublishListener {

        @Override
        public void confirmed(PendingAnswer pending) {
            pending.call.permit().release();
        }

        @Override
        public void tooLarge(PendingAnswer pending, PublishResult.TooLarge refusal) {
            tooLarge++;
            pending.call.permit().release();
        }

        @Override
        public void abandoned(PendingAnswer pending, String problem, Throwable bug) {
            throw new AssertionError(problem);
        }
    }
}
