package io.iocluster.node.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class NodePartsTest {

    private final NodeParts parts = new NodeParts(Platform.system());
    private final List<String> closed = new CopyOnWriteArrayList<>();

    private void add(String name) {
        parts.add(name, () -> closed.add(name));
    }

    @Test
    void partsCloseOnceInReverseOrder() {
        add("first");
        add("second");
        add("third");

        parts.close();
        parts.close();

        assertThat(closed).containsExactly("third", "second", "first");
    }

    @Test
    void theOthersCloseIfOneFails() {
        add("first");
        parts.add("second", () -> {
            throw new IllegalStateException("a fault of the test");
        });
        add("third");

        parts.close();

        assertThat(closed).containsExactly("third", "first");
    }

    @Test
    void theOthersCloseIfOneHangs() {
        CountDownLatch end = new CountDownLatch(1);
        try (NodeParts impatient = new NodeParts(Platform.system(), Duration.ofMillis(10))) {
            impatient.add("first", () -> closed.add("first"));
            impatient.add("second", end::await);

            impatient.close();

            assertThat(closed).containsExactly("first");
        } finally {
            end.countDown();
        }
    }

    @Test
    void aPartThatIsAddedTooLateClosesAtOnce() {
        parts.close();

        add("late");

        assertThat(closed).containsExactly("late");
    }

    @Test
    void anInterruptedThreadClosesThePartsInOrder() {
        add("first");
        add("second");
        Thread.currentThread().interrupt();

        parts.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(closed).containsExactly("second", "first");
    }
}
