package io.iocluster.rabbit.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnconfirmedPublishesTest {

    private final UnconfirmedPublishes unconfirmed = new UnconfirmedPublishes();
    private final List<PendingPublish> sent = new ArrayList<>();
    private final List<PendingPublish> settled = new ArrayList<>();

    @Test
    void numbersTheFirstMessageOfAChannelOne() {
        send(3);

        unconfirmed.settle(2, false, settled::add);

        assertThat(settled).containsExactly(sent.get(1));
        assertThat(unconfirmed.size()).isEqualTo(2);
    }

    @Test
    void settlesAllOlderMessagesOldestFirstAndEachOnce() {
        send(4);
        unconfirmed.settle(2, false, settled::add);

        unconfirmed.settle(3, true, settled::add);
        unconfirmed.settle(3, true, settled::add);

        assertThat(settled).containsExactly(sent.get(1), sent.get(0), sent.get(2));
        assertThat(unconfirmed.size()).isEqualTo(1);
    }

    @Test
    void ignoresNumbersThatWereNeverUsed() {
        send(1);

        unconfirmed.settle(9, false, settled::add);
        unconfirmed.settle(0, false, settled::add);

        assertThat(settled).isEmpty();
    }

    @Test
    void growsWhileTheOldestMessageIsUnconfirmed() {
        send(5_000);

        unconfirmed.settle(5_000, false, settled::add);
        unconfirmed.settle(1, false, settled::add);
        send(1);
        unconfirmed.settle(5_001, true, ignored -> {});

        assertThat(settled).containsExactly(sent.get(4_999), sent.get(0));
        assertThat(unconfirmed.size()).isZero();
    }

    @Test
    void reusesTheNumberOfARemovedMessage() {
        send(2);
        unconfirmed.removeLast();
        send(1);

        unconfirmed.settle(2, false, settled::add);

        assertThat(settled).containsExactly(sent.get(2));
    }

    @Test
    void restartsTheNumbersWhenAllMessagesAreTaken() {
        send(3);
        unconfirmed.settle(1, false, settled::add);

        List<PendingPublish> open = unconfirmed.takeAll();
        send(1);
        unconfirmed.settle(1, false, settled::add);

        assertThat(open).containsExactly(sent.get(1), sent.get(2));
        assertThat(settled).containsExactly(sent.get(0), sent.get(3));
    }

    @Test
    void setsLateMessagesAsideUpToTheFirstThatIsNotLate() {
        send(3);
        unconfirmed.settle(1, false, ignored -> {});

        boolean any = unconfirmed.setLateAside(publication -> publication == sent.get(1), late -> {
            settled.add(late);
            return late.withoutContent();
        });

        assertThat(any).isTrue();
        assertThat(settled).containsExactly(sent.get(1));
        assertThat(unconfirmed.setLateAside(publication -> false, late -> late)).isFalse();
        assertThat(unconfirmed.size()).isEqualTo(1);
        assertThat(unconfirmed.setAsideCount()).isEqualTo(1);
    }

    @Test
    void settlesMessagesThatAreSetAside() {
        QueueWindow window = new QueueWindow("q", 100);
        send(5);
        sent.get(1).window = window;
        sent.get(3).window = window;
        unconfirmed.setAside(window);
        assertThat(unconfirmed.size()).isEqualTo(3);

        unconfirmed.settle(4, false, settled::add);
        unconfirmed.settle(3, true, settled::add);

        assertThat(settled).containsExactly(sent.get(3), sent.get(1), sent.get(0), sent.get(2));
        assertThat(unconfirmed.setAsideCount()).isZero();
        assertThat(unconfirmed.takeAll()).containsExactly(sent.get(4));
    }

    @Test
    void findsTheOldestMatchingMessage() {
        send(3);

        assertThat(unconfirmed.find(publication -> publication != sent.get(0))).isSameAs(sent.get(1));
        assertThat(unconfirmed.find(publication -> false)).isNull();
    }

    private void send(int count) {
        for (int i = 0; i < count; i++) {
            byte[] body = ("m" + sent.size()).getBytes(StandardCharsets.UTF_8);
            PendingPublish publication = new PendingPublish("", "q", null, body);
            sent.add(publication);
            unconfirmed.add(publication);
        }
    }
}
