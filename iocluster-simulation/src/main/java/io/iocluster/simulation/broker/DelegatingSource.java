package io.iocluster.simulation.broker;

import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.SourceStatus;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Passes everything on to another source. A subclass observes or changes a part. */
public class DelegatingSource implements RequestSource {

    private final RequestSource source;

    /** Creates a source that passes everything on to this one. */
    public DelegatingSource(RequestSource source) {
        this.source = source;
    }

    /** Offers a delivery to the node. */
    protected boolean offer(Intake intake, Delivery delivery) {
        return intake.offer(delivery);
    }

    @Override
    public void start(Intake intake) {
        source.start(delivery -> offer(intake, delivery));
    }

    @Override
    public boolean isOnlyReader() {
        return source.isOnlyReader();
    }

    @Override
    public void prefetchHint(int calls, int unconfirmed) {
        source.prefetchHint(calls, unconfirmed);
    }

    @Override
    public void capacityAvailable() {
        source.capacityAvailable();
    }

    @Override
    public void pause() {
        source.pause();
    }

    @Override
    public void resume() {
        source.resume();
    }

    @Override
    public CompletionStage<Void> stopIntake() {
        return source.stopIntake();
    }

    @Override
    public SourceStatus status() {
        return source.status();
    }

    @Override
    public void close(Duration timeout) {
        source.close(timeout);
    }
}
