package io.iocluster.rabbit.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class QueueWindowTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final QueueWindow window = new QueueWindow("q", 100);

    @Test
    void staysBelowWhatBlocksTheChannelUntilTheQueueConfirms() {
        int sent = 0;
        while (window.canSendNext()) {
            window.sent();
            sent++;
        }

        assertThat(sent).isEqualTo(QueueWindow.INITIAL_LIMIT).isLessThan(QueueWindow.BLOCKING);
    }

    @Test
    void growsWhileTheQueueConfirmsAndMessagesWait() {
        fill();
        for (int i = 0; i < 10_000; i++) {
            window.settled(true, 1, SECOND);
            fill();
        }

        assertThat(window.unconfirmed()).isEqualTo(100);
    }

    @Test
    void startsAgainAfterALateConfirm() {
        fill();
        for (int i = 0; i < 1_000; i++) {
            window.settled(true, 1, SECOND);
            fill();
        }

        window.settled(true, 3 * SECOND, SECOND);

        assertThat(window.unconfirmed()).isEqualTo(99);
        assertThat(window.canSendWaiting()).isFalse();
    }

    @Test
    void returnsOverdueMessagesUnlessTheQueueStillConfirms() {
        window.enqueue(publication(), SECOND);
        window.enqueue(publication(), 5 * SECOND);
        window.sent();
        window.settled(true, 1, 2 * SECOND);

        assertThat(window.takeOverdue(4 * SECOND, 2 * SECOND)).isEmpty();
        assertThat(window.takeOverdue(6 * SECOND, 2 * SECOND)).hasSize(1);
        assertThat(window.hasWaiting()).isTrue();
    }

    /** Sends as much as possible, and keeps a message waiting. */
    private void fill() {
        if (!window.hasWaiting()) {
            window.enqueue(publication(), 0);
        }
        while (window.canSendWaiting()) {
            window.sent();
        }
    }

    private static PendingPublish publication() {
        return new PendingPublish("", "q", null, new byte[0]);
    }
}
