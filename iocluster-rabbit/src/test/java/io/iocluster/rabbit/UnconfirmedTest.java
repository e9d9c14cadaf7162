package io.iocluster.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnconfirmedTest {

    private final Unconfirmed unconfirmed = new Unconfirmed();
    private final List<Publication> sent = new ArrayList<>();
    private final List<Publication> settled = new ArrayList<>();

    @Test
    void matchesTheNumberOfAChannelsFirstMessageToOne() {
        send(3);

        unconfirmed.settled(2, false, settled::add);

        assertThat(settled).containsExactly(sent.get(1));
        assertThat(unconfirmed.size()).isEqualTo(2);
    }

    @Test
    void passesOnAllBelowOldestFirstAndNoneTwice() {
        send(4);
        unconfirmed.settled(2, false, settled::add);

        unconfirmed.settled(3, true, settled::add);
        unconfirmed.settled(3, true, settled::add);

        assertThat(settled).containsExactly(sent.get(1), sent.get(0), sent.get(2));
        assertThat(unconfirmed.size()).isEqualTo(1);
    }

    @Test
    void ignoresNumbersThatWereNeverUsed() {
        send(1);

        unconfirmed.settled(9, false, settled::add);
        unconfirmed.settled(0, false, settled::add);

        assertThat(settled).isEmpty();
    }

    @Test
    void growsWhileTheOldestIsOpen() {
        send(5_000);

        unconfirmed.settled(5_000, false, settled::add);
        unconfirmed.settled(1, false, settled::add);
        send(1);
        unconfirmed.settled(5_001, true, ignored -> {});

        assertThat(settled).containsExactly(sent.get(4_999), sent.get(0));
        assertThat(unconfirmed.size()).isZero();
    }

    @Test
    void givesAWithdrawnNumberToTheNext() {
        send(2);
        unconfirmed.withdrawLast();
        send(1);

        unconfirmed.settled(2, false, settled::add);

        assertThat(settled).containsExactly(sent.get(2));
    }

    @Test
    void beginsAnewWhenAllAreTaken() {
        send(3);
        unconfirmed.settled(1, false, settled::add);

        List<Publication> open = unconfirmed.takeAll();
        send(1);
        unconfirmed.settled(1, false, settled::add);

        assertThat(open).containsExactly(sent.get(1), sent.get(2));
        assertThat(settled).containsExactly(sent.get(0), sent.get(3));
    }

    @Test
    void givesUpTheOldestUpToTheFirstThatIsYoung() {
        send(3);
        unconfirmed.settled(1, false, ignored -> {});

        boolean any = unconfirmed.giveUp(publication -> publication == sent.get(1), settled::add);

        assertThat(any).isTrue();
        assertThat(settled).containsExactly(sent.get(1));
        assertThat(unconfirmed.giveUp(publication -> false, settled::add)).isFalse();
        assertThat(unconfirmed.size()).isEqualTo(1);
    }

    @Test
    void findsTheOldestThatIsWanted() {
        send(3);

        assertThat(unconfirmed.find(publication -> publication != sent.get(0))).isSameAs(sent.get(1));
        assertThat(unconfirmed.find(publication -> false)).isNull();
    }

    private void send(int count) {
        for (int i = 0; i < count; i++) {
            byte[] body = ("m" + sent.size()).getBytes(StandardCharsets.UTF_8);
            Publication publication = new Publication("", "q", null, body);
            sent.add(publication);
            unconfirmed.add(publication);
        }
    }
}
