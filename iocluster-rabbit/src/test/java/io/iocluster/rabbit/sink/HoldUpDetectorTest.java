package io.iocluster.rabbit.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.rabbit.sink.HoldUpDetector.HoldUp;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HoldUpDetectorTest {

    private final UnconfirmedPublishes unconfirmed = new UnconfirmedPublishes();
    private final HoldUpDetector detector = new HoldUpDetector();
    private final QueueWindow late = new QueueWindow("late", 4_096);
    private final QueueWindow other = new QueueWindow("other", 4_096);
    private long now = 1;

    @BeforeEach
    void start() {
        detector.reset(now);
    }

    @Test
    void detectsAQueueThatConfirmsNothingWhileAnotherConfirms() {
        send(late, 3);
        pass(QueueWindow.LATE_CONFIRM_NANOS);
        detector.confirmed(other, now);

        assertThat(detect(0)).as("late once").isEmpty();
        assertThat(detect(0)).containsExactly(new HoldUp(late, "no-confirm", false));
    }

    @Test
    void detectsNothingWhenTheBrokerConfirmsNothing() {
        detector.confirmed(other, now);
        send(late, 3);
        pass(HoldUpDetector.BLOCKED_NANOS * 10);

        assertThat(detect(1)).isEmpty();
        assertThat(detect(1)).isEmpty();
    }

    @Test
    void detectsNothingWhenOnlyTheQueueItselfConfirms() {
        send(late, 3);
        pass(QueueWindow.LATE_CONFIRM_NANOS);
        detector.confirmed(late, now);

        assertThat(detect(0)).isEmpty();
        assertThat(detect(0)).isEmpty();
    }

    @Test
    void detectsNothingWhenTheQueueConfirmsAfterTheOthers() {
        send(late, 1);
        pass(QueueWindow.LATE_CONFIRM_NANOS);
        detector.confirmed(other, now);
        assertThat(detect(0)).isEmpty();

        unconfirmed.settle(1, false, settled -> {});
        send(late, 1);

        assertThat(detect(0)).isEmpty();
    }

    @Test
    void detectsTheOldestQueueThatMayHaveBlockedTheConnection() {
        send(late, QueueWindow.BLOCKING);
        pass(1);
        send(other, QueueWindow.BLOCKING);
        pass(HoldUpDetector.BLOCKED_NANOS - 2);
        assertThat(detect(0)).isEmpty();
        pass(1);

        assertThat(detect(0)).containsExactly(new HoldUp(late, "connection-blocked", true));
    }

    @Test
    void doesNotBlameTheOnlyQueueInUse() {
        send(late, QueueWindow.BLOCKING);
        pass(HoldUpDetector.BLOCKED_NANOS * 2);

        assertThat(detect(0)).isEmpty();
        assertThat(detect(1)).hasSize(1);
    }

    private List<HoldUp> detect(int waiting) {
        return detector.detect(unconfirmed, waiting, now);
    }

    private void send(QueueWindow window, int count) {
        for (int i = 0; i < count; i++) {
            PendingPublish publication = new PendingPublish("", window.queue(), null, new byte[0]);
            publication.sentNanos = now;
            publication.window = window;
            window.sent();
            unconfirmed.add(publication);
        }
    }

    private void pass(long nanos) {
        now += nanos;
    }
}
