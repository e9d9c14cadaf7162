package io.iocluster.simulation.defect;

import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.SourceStatus;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Passes everything on to the correct source. A subclass changes a part. */
class DefectiveSource implements RequestSource {

    private final RequestSource correct;

    DefectiveSource(RequestSource correct) {
        this.correct = correct;
    }

    /** Offers a delivery to the node. */
    boolean offer(Intake intake, Delivery delivery) {
        return intake.offer(delivery);
    }

    @Override
    public void start(Intake intake) {
        correct.start(delivery -> offer(intake, delivery));
    }

    @Override
    public boolean isOnlyReader() {
        return correct.isOnlyReader();
    }

    @Override
    public void prefetchHint(int calls, int unconfirmed) {
        correct.prefetchHint(calls, unconfirmed);
    }

    @Override
    public void capacityAvailable() {
        correct.capacityAvailable();
    }

    @Override
    public void pause() {
        correct.pause();
    }

    @Override
    public void resume() {
        correct.resume();
    }

    @Override
    public CompletionStage<Void> stopIntake() {
        return correct.stopIntake();
    }

    @Override
    public SourceStatus status() {
        return correct.status();
    }

    @Override
    public void close(Duration timeout) {
        correct.close(timeout);
    }
}
