package io.iocluster.rabbit.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MissingQueuesTest {

    private final AtomicLong clock = new AtomicLong(1);
    private final MissingQueues missing = new MissingQueues(clock::get);
    private final List<String> checked = new ArrayList<>();

    @Test
    void remembersANewQueueWhenTheMaximumIsReached() {
        for (int i = 0; i < MissingQueues.MAX_QUEUES; i++) {
            missing.add("invented-" + i);
        }

        missing.add("deleted");

        assertThat(missing.contains("deleted")).isTrue();
        assertThat(missing.contains("invented-0")).isFalse();
        assertThat(missing.contains("invented-1")).isTrue();
    }

    @Test
    void keepsAUsedQueueWhenOthersAreRemoved() {
        missing.add("used");
        for (int i = 0; i < 2 * MissingQueues.MAX_QUEUES; i++) {
            missing.add("invented-" + i);
            assertThat(missing.contains("used")).isTrue();
        }
    }

    @Test
    void forgetsAQueueAfterAMinuteWithoutUseAndWithoutACheck() {
        missing.add("used");
        missing.add("unused");
        advance(Duration.ofSeconds(59));
        assertThat(missing.contains("used")).isTrue();
        advance(Duration.ofSeconds(1));

        missing.recheck(this::isMissing);

        assertThat(checked).containsExactly("used");
        assertThat(missing.contains("used")).isTrue();
        assertThat(missing.contains("unused")).isFalse();
    }

    @Test
    void forgetsAQueueThatExistsAgain() {
        missing.add("back");
        missing.add("gone");
        advance(Duration.ofSeconds(2));

        missing.recheck(queue -> queue.equals("gone"));

        assertThat(missing.contains("back")).isFalse();
        assertThat(missing.contains("gone")).isTrue();
    }

    @Test
    void checksTwentyQueuesAtATimeAndAllInTurn() {
        for (int i = 0; i < 50; i++) {
            missing.add("queue-" + i);
        }
        advance(Duration.ofSeconds(2));

        missing.recheck(this::isMissing);
        assertThat(checked).hasSize(20);
        missing.recheck(this::isMissing);
        missing.recheck(this::isMissing);

        assertThat(checked).hasSize(50).doesNotHaveDuplicates();
    }

    @Test
    void forgetsAQueueWhenTheBrokerDoesNotAnswer() {
        missing.add("without-leader");
        missing.add("gone");
        advance(Duration.ofSeconds(2));

        missing.recheck(queue -> {
            checked.add(queue);
            throw new IOException("no answer in time");
        });

        assertThat(checked).as("each check may take seconds").containsExactly("without-leader");
        assertThat(missing.contains("without-leader")).isFalse();
        assertThat(missing.contains("gone")).isTrue();
    }

    private boolean isMissing(String queue) {
        checked.add(queue);
        return true;
    }

    private void advance(Duration by) {
        clock.addAndGet(by.toNanos());
    }
}
