package io.iocluster.door.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.door.access.AnswerBudget.Unread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AnswerBudgetTest {

    private final AtomicLong clock = new AtomicLong();
    /** An app may have 100 bytes of it. */
    private final AnswerBudget budget = new AnswerBudget(200, Duration.ofSeconds(30), clock::get);

    private final List<String> disconnected = new ArrayList<>();

    @Test
    void theCallerThatHasReadNothingForLongestIsDisconnectedFirst() {
        Unread first = response("first");
        Unread second = response("second");
        first.add(40);
        second.add(40);
        first.sent(1);

        response("third").add(40);

        assertThat(disconnected).containsExactly("second");
        assertThat(budget.held()).isEqualTo(79);
        assertThat(budget.disconnected()).isEqualTo(1);
    }

    @Test
    void aCallerThatLetsManyAnswersWaitIsDisconnectedToo() {
        Unread batch = response("batch");
        batch.add(60);

        batch.add(60);

        assertThat(disconnected).containsExactly("batch");
        assertThat(budget.held()).isZero();
    }

    @Test
    void aResponseThatIsLargerThanTheLimitIsSentIfItIsAlone() {
        response("small").add(1);

        response("large").add(200);

        assertThat(disconnected).containsExactly("small");
        assertThat(budget.held()).isEqualTo(200);
    }

    @Test
    void aCallerThatReadsNothingIsDisconnectedAfterTheTimeout() {
        Unread stalled = response("stalled");
        Unread slow = response("slow");
        Unread idle = response("idle");
        stalled.add(10);
        slow.add(10);
        idle.add(10);
        idle.sent(10);
        clock.addAndGet(Duration.ofSeconds(20).toNanos());
        slow.sent(1);
        clock.addAndGet(Duration.ofSeconds(10).toNanos());

        budget.disconnectStalled();
        budget.disconnectStalled();

        assertThat(disconnected).containsExactly("stalled");
        assertThat(budget.held()).isEqualTo(9);
    }

    @Test
    void aResponseThatHasEndedIsNotCounted() {
        Unread response = response("a");
        response.add(60);
        assertThat(budget.mayStart("shop")).isFalse();
        assertThat(budget.mayStart("billing")).isTrue();

        response.end();
        response.add(60);
        response.sent(60);

        assertThat(budget.held()).isZero();
        assertThat(budget.mayStart("shop")).isTrue();
        assertThat(disconnected).isEmpty();
    }

    @Test
    void theAppWithMostUnreadBytesLosesItsSlowestCaller() {
        budget.open("billing", () -> disconnected.add("billing")).add(60);
        Unread slow = response("slow");
        slow.add(50);
        response("fast").add(40);
        assertThat(disconnected).isEmpty();

        budget.open("ops", () -> disconnected.add("ops")).add(60);

        assertThat(disconnected).containsExactly("slow");
        assertThat(budget.held()).isEqualTo(160);
        assertThat(budget.mayStart("new")).isFalse();
    }

    @Test
    void theEmptyResponseOfAnotherAppDoesNotStopTheLimit() {
        budget.open("billing", () -> disconnected.add("billing")).add(0);
        response("slow").add(60);

        response("fast").add(60);

        assertThat(disconnected).containsExactly("slow");
        assertThat(budget.held()).isEqualTo(60);
    }

    private Unread response(String name) {
        return budget.open("shop", () -> disconnected.add(name));
    }
}
