package io.iocluster.rabbit.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.rabbit.connection.InspectedMessage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MeanMessageSizeTest {

    private final AtomicInteger publications = new AtomicInteger();
    private final MeanMessageSize mean = new MeanMessageSize(publications::incrementAndGet);

    @Test
    void theFirstMessageReplacesTheInitialValue() {
        mean.add(InspectedMessage.read(1, 3_000));

        assertThat(mean.published()).isEqualTo(3_000);
        assertThat(publications).hasValue(1);
    }

    @Test
    void publishesOnlyWhenAnotherPowerOfTwoIsReached() {
        mean.add(InspectedMessage.read(1, 1_100));
        for (int tag = 2; tag < 500; tag++) {
            mean.add(InspectedMessage.read(tag, 2_000));
            mean.publish();
        }
        assertThat(publications).hasValue(1);

        for (int tag = 500; tag < 1_000; tag++) {
            mean.add(InspectedMessage.read(tag, 2_200));
            mean.publish();
        }
        assertThat(publications).hasValue(2);
        assertThat(mean.published()).isBetween(2_048L, 2_200L);
    }

    @Test
    void aLargerMessageThatExceedsTheBudgetCountsAtOnce() {
        mean.add(InspectedMessage.read(1, 1_000));

        mean.add(InspectedMessage.overBudget(2, 60_000_000, 60_000_000));

        assertThat(mean.published()).isEqualTo(60_000_000);
    }

    @Test
    void aSmallerMessageThatExceedsTheBudgetDoesNotCount() {
        mean.add(InspectedMessage.read(1, 100_000));

        mean.add(InspectedMessage.overBudget(2, 50, 50));
        mean.publish();

        assertThat(mean.published()).isEqualTo(100_000);
    }
}
