package io.iocluster.thread;

import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Checks in many interleavings that the task never runs on two threads, and that no request is lost. */
class OneAtATimeLincheckTest {

    @Test
    void runsOnOneThreadAfterEachRequest() {
        new ModelCheckingOptions()
                .iterations(6)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(0)
                .check(Requests.class);
    }

    /** Work that threads add and then request a run for. */
    public static final class Requests {

        private final OneAtATime runs = new OneAtATime();
        private final AtomicInteger added = new AtomicInteger();
        private final AtomicInteger running = new AtomicInteger();
        private boolean twice;

        @Operation
        public void request() {
            added.incrementAndGet();
            runs.run(this::work);
        }

        @Operation
        public void requestThatFails() {
            added.incrementAndGet();
            try {
                runs.run(() -> {
                    work();
                    throw new IllegalArgumentException();
                });
            } catch (IllegalArgumentException expected) {
                // The run of another request on this thread does not depend on it.
            }
        }

        private void work() {
            twice |= running.incrementAndGet() > 1;
            added.set(0);
            running.decrementAndGet();
        }

        @Validate
        public void allWorkIsDone() {
            if (twice || added.get() != 0) {
                throw new IllegalStateException("twice=" + twice + " left=" + added.get());
            }
        }
    }
}
