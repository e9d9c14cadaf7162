package io.iocluster.pipeline.capacity;

import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Checks in many interleavings that the slots and bytes of a node are never given twice and never lost. */
class InFlightWindowLincheckTest {

    private static ModelCheckingOptions options(int invocations, int actors) {
        return new ModelCheckingOptions()
                .iterations(6)
                .invocationsPerIteration(invocations)
                .threads(2)
                .actorsPerThread(actors)
                .actorsBefore(0)
                .actorsAfter(0);
    }

    @Test
    void neverHasMoreCallsInFlightThanSlots() {
        options(300, 1).check(Attempts.class);
    }

    @Test
    void givesEachByteToOneCallAndKeepsTheRoomForAnswers() {
        options(100, 3).check(Bytes.class);
    }

    /** A node with one slot. */
    public static final class Attempts {

        private static final int SLOTS = 1;

        private final InFlightWindow window = new InFlightWindow(SLOTS, 100, 100, 1_000, () -> {});
        private final AtomicInteger running = new AtomicInteger();

        /** Returns whether the attempt was one too many. */
        @Operation
        public boolean attemptWithoutAnswer() {
            if (!window.tryAcquireSlot(false, 10, 10)) {
                return false;
            }
            boolean exceeded = running.incrementAndGet() > SLOTS;
            running.decrementAndGet();
            window.releaseSlot(10, 10);
            return exceeded;
        }

        /** Returns whether the attempt was one too many. */
        @Operation
        public boolean hedge() {
            if (!window.tryAcquireSlot(false, 0, 0)) {
                return false;
            }
            window.hedgeStarted();
            boolean exceeded = running.incrementAndGet() > SLOTS;
            running.decrementAndGet();
            window.callEnded(true, 0, true);
            return exceeded;
        }

        @Operation(nonParallelGroup = "poll thread")
        public void callThatWaitsAndEnds() {
            window.acquireBranch();
            window.callEnded(false, 0, false);
            window.permitReleased(0, false);
        }

        @Validate
        public void holdsNothing() {
            if (window.inFlight() + window.held() + window.unconfirmed() + window.waiting() + window.bytes() != 0
                    || window.keptHeadroom() != 0
                    || window.freeSlots() != SLOTS) {
                throw new IllegalStateException("inFlight=" + window.inFlight() + " held=" + window.held());
            }
        }
    }

    /** A budget for three pieces, and one whose bytes are reserved and released. */
    public static final class Bytes {

        private final ByteBudget budget = new ByteBudget(100);
        private final ByteBudget other = new ByteBudget(100);

        @Operation
        public void startAttempt() {
            budget.tryStartAttempt(0, 30, false);
        }

        @Operation
        public void encode() {
            budget.tryReserveBesideAnswerHeadroom(30);
        }

        @Operation
        public boolean reserve() {
            return other.tryReserve(40);
        }

        @Operation
        public void release() {
            other.add(-10);
        }

        @Validate
        public void allFits() {
            if (budget.used() + budget.keptHeadroom() > budget.max()) {
                throw new IllegalStateException("used=" + budget.used() + " answerHeadroom=" + budget.keptHeadroom());
            }
        }
    }
}
