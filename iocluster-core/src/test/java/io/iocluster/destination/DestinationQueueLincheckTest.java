package io.iocluster.destination;

import io.iocluster.egress.Origin;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** Checks in many interleavings that a destination that waits is found. */
class DestinationQueueLincheckTest {

    private static final DestinationRegistry<FakePendingCall> REGISTRY =
            new DestinationFixture(DestinationFixture.policy(3, 20, DestinationFixture.NO_BREAKER)).registry;
    private static final Destination<FakePendingCall> FIRST =
            REGISTRY.destinationFor(new Origin("http", "first.example", 80));
    private static final Destination<FakePendingCall> SECOND =
            REGISTRY.destinationFor(new Origin("http", "second.example", 80));

    @Test
    void showsTheDestinationThatHasWaitedForLongest() {
        new ModelCheckingOptions()
                .iterations(6)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(3)
                .check(WaitingDestinations.class);
    }

    /** Each destination joins and leaves on one thread at a time, as it does under its lock. */
    public static final class WaitingDestinations {

        private final DestinationQueue<FakePendingCall> queue = new DestinationQueue<>();

        @Operation(nonParallelGroup = "first")
        public void firstJoins() {
            queue.join(FIRST);
        }

        @Operation(nonParallelGroup = "first")
        public void firstLeaves() {
            queue.leave(FIRST);
        }

        @Operation(nonParallelGroup = "second")
        public void secondJoins() {
            queue.join(SECOND);
        }

        @Operation(nonParallelGroup = "second")
        public void secondLeaves() {
            queue.leave(SECOND);
        }

        @Operation
        public String next() {
            Destination<FakePendingCall> first = queue.first();
            return first == null ? "none" : first == FIRST ? "first" : "second";
        }
    }
}
