package io.iocluster.rabbit.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.rabbit.sink.IsolationPolicy.QueueToIsolate;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IsolationPolicyTest {

    private final UnconfirmedPublishes unconfirmed = new UnconfirmedPublishes();
    private final IsolationPolicy policy = new IsolationPolicy();
    private final QueueWindow late = new QueueWindow("late", 4_096);
    private final QueueWindow other = new QueueWindow("other", 4_096);
    private long now = 1;

    @BeforeEach
    void start() {
        policy.reset(now);
    }

    @Test
    void isolatesAQueueThatConfirmsNothingWhileAnotherConfirms() {
        send(late, 3);
        pass(QueueWindow.LATE_CONFIRM_NANOS);
        policy.confirmed(other, now);

        assertThat(queuesToIsolate(0)).as("late once").isEmpty();
        assertThat(queuesToIsolate(0)).containsExactly(new QueueToIsolate(late, "no-confirm", false));
    }

    @Test
    void isolatesNothingWhenTheBrokerConfirmsNothing() {
        policy.confirmed(other, now);
        send(late, 3);
        pass(IsolationPolicy.BLOCKED_NANOS * 10);

        assertThat(queuesToIsolate(1)).isEmpty();
        assertThat(queuesToIsolate(1)).isEmpty();
    }

    @Test
    void isolatesNothingWhenOnlyTheQueueItselfConfirms() {
        send(late, 3);
        pass(QueueWindow.LATE_CONFIRM_NANOS);
        policy.confirmed(late, now);

        assertThat(queuesToIsolate(0)).isEmpty();
        assertThat(queuesToIsolate(0)).isEmpty();
    }

    @Test
    void isolatesNothingWhenTheQueueConfirmsAfterTheOthers() {
        send(late, 1);
        pass(QueueWindow.LATE_CONFIRM_NANOS);
        policy.confirmed(other, now);
        assertThat(queuesToIsolate(0)).isEmpty();

        unconfirmed.settle(1, false, settled -> {});
        send(late, 1);

        assertThat(queuesToIsolate(0)).isEmpty();
    }

    @Test
    void isolatesTheOldestQueueThatMayHaveBlockedTheConnection() {
        send(late, QueueWindow.BLOCKING);
        pass(1);
        send(other, QueueWindow.BLOCKING);
        pass(IsolationPolicy.BLOCKED_NANOS - 2);
        assertThat(queuesToIsolate(0)).isEmpty();
        pass(1);

        assertThat(queuesToIsolate(0)).containsExactly(new QueueToIsolate(late, "connection-blocked", true));
    }

    @Test
    void doesNotIsolateTheOnlyQueueInUse() {
        send(late, QueueWindow.BLOCKING);
        pass(IsolationPolicy.BLOCKED_NANOS * 2);

        assertThat(queuesToIsolate(0)).isEmpty();
        assertThat(queuesToIsolate(1)).hasSize(1);
    }

    private List<QueueToIsolate> queuesToIsolate(int waiting) {
        return policy.queuesToIsolate(unconfirmed, waiting, now);
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
