package io.iocluster.door.spool;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.door.spool.SpoolEntry.State;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SpoolIndexTest {

    private final SpoolIndex index = new SpoolIndex();

    private SpoolEntry add(long position, Duration deadline) {
        SpoolEntry entry = new SpoolEntry(position, SpoolFixture.call(Long.toString(position), "{}", deadline), 100);
        index.add(entry);
        return entry;
    }

    @Test
    void theEarliestDeadlineExpiresFirst() {
        SpoolEntry late = add(1, Duration.ofHours(2));
        SpoolEntry early = add(2, Duration.ofHours(1));
        add(3, Duration.ofHours(3));

        assertThat(index.expired(early.expiresMillis - 1)).isEmpty();
        assertThat(index.expired(early.expiresMillis)).containsExactly(early);
        assertThat(index.expired(late.expiresMillis)).containsExactly(early, late);
    }

    @Test
    void onlyWaitingCallsExpire() {
        SpoolEntry done = add(1, Duration.ofHours(1));
        SpoolEntry forwarded = add(2, Duration.ofHours(1));
        index.move(done, State.DONE);
        index.move(forwarded, State.FORWARDING);

        assertThat(index.expired(Long.MAX_VALUE)).isEmpty();

        index.move(forwarded, State.STORED);

        assertThat(index.expired(Long.MAX_VALUE)).containsExactly(forwarded);
        assertThat(index.nextStored()).isSameAs(forwarded);
    }
}
