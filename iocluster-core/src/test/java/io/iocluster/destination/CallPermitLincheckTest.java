package io.iocluster.destination;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.pipeline.capacity.InFlightWindow;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Checks in many interleavings that a permit ends once, and that its release gives back exactly what it took. */
class CallPermitLincheckTest {

    @Test
    void endsOnceAndReturnsAllThatItTook() {
        new ModelCheckingOptions()
                .iterations(6)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(0)
                .check(RunningPermit.class);
    }

    /** A permit during an attempt that has no slot of a destination. */
    public static final class RunningPermit {

        /** Without calls, so that it does nothing. */
        private static final Destination<?> DESTINATION =
                new DestinationFixture(DestinationPolicy.DEFAULTS).at("a.example");

        private final InFlightWindow window = new InFlightWindow(2, 10, 10, 1_000, () -> {});
        private final CallPermit permit = window.tryAcquire(100);

        public RunningPermit() {
            permit.setResponseReserve(50);
            permit.requireAnswerHeadroom(30);
            if (!permit.tryStart(DESTINATION, 0, 1, false)) {
                throw new AssertionError("not started");
            }
            permit.takeDestinationSlot();
        }

        @Operation
        public boolean end() {
            return permit.tryEnd();
        }

        @Operation
        public void release() {
            permit.release();
        }

        @Operation
        public void awaitRetry() {
            permit.awaitRetry();
        }

        @Operation
        public void withdraw() {
            permit.withdraw();
        }

        @Operation
        public void reserve() {
            permit.tryReserve(70);
        }

        @Operation
        public void replaceAnswer() {
            permit.replaceAnswer(20);
        }

        @Operation
        public void absorbBranch() {
            CallPermit branch = window.acquireBranch();
            branch.addBytes(10);
            permit.tryKeepResult(branch);
            permit.absorb(branch);
        }

        @Validate
        public void releasesEverything() {
            permit.release();
            long left =
                    window.held() + window.inFlight() + window.unconfirmed() + window.bytes() + window.keptHeadroom();
            if (left != 0 || !window.tryKeepResult(window.maxResults() / 2, 0)) {
                throw new IllegalStateException("held=" + window.held() + " inFlight=" + window.inFlight()
                        + " unconfirmed=" + window.unconfirmed() + " bytes=" + window.bytes() + " answerHeadroom="
                        + window.keptHeadroom());
            }
        }
    }
}
