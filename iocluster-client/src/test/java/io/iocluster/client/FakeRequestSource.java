package io.iocluster.client;

import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.transport.Intake;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.SourceStatus;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A source that offers deliveries on the test's thread. */
final class FakeRequestSource implements RequestSource {

    final List<String> acknowledged = new CopyOnWriteArrayList<>();
    final List<String> released = new CopyOnWriteArrayList<>();
    final AtomicInteger capacitySignals = new AtomicInteger();
    volatile boolean closed;
    private Intake intake;

    /** Offers a message. Returns whether it was accepted. */
    boolean deliver(String coordinates, String payload) {
        return intake.offer(new Message(coordinates, payload));
    }

    private final class Message extends FakeDelivery {

        private final String coordinates;

        Message(String coordinates, String payload) {
            super(payload);
            this.coordinates = coordinates;
        }

        @Override
        public String coordinates() {
            return coordinates;
        }

        @Override
        public void acknowledge() {
            acknowledged.add(coordinates);
        }

        @Override
        public void release() {
            released.add(coordinates);
        }
    }

    @Override
    public void start(Intake intake) {
        this.intake = intake;
    }

    @Override
    public void capacityAvailable() {
        capacitySignals.incrementAndGet();
    }

    @Override
    public void pause() {}

    @Override
    public void resume() {}

    @Override
    public CompletionStage<Void> stopIntake() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public SourceStatus status() {
        return new SourceStatus(true, null, Set.of(), 0, List.of(), 0, 0);
    }

    @Override
    public void close(Duration timeout) {
        closed = true;
    }
}
