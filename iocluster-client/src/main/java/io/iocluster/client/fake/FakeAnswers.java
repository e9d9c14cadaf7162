package io.iocluster.client.fake;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.Settlement;
import io.iocluster.transport.SourceStatus;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** The answers to enqueued requests, which the listeners of all clients share. Thread-safe. Owned by its cluster. */
final class FakeAnswers {

    @GuardedBy("this")
    private final Deque<Message> waiting = new ArrayDeque<>();

    @GuardedBy("this")
    private final List<Source> sources = new ArrayList<>();

    @GuardedBy("this")
    private int count;

    synchronized void add(byte[] answer) {
        waiting.addLast(new Message(answer, "fake.answers/" + count++, false));
        deliver();
    }

    RequestSource newSource() {
        return new Source();
    }

    private synchronized void redeliver(Message message) {
        waiting.addFirst(new Message(message.payload, message.coordinates, true));
        deliver();
    }

    /** Offers answers until no listener has capacity. */
    private synchronized void deliver() {
        Message next = waiting.pollFirst();
        while (next != null) {
            Message offered = next;
            if (sources.stream().noneMatch(source -> source.intake.offer(offered))) {
                waiting.addFirst(offered);
                return;
            }
            next = waiting.pollFirst();
        }
    }

    private final class Source implements RequestSource {

        private Intake intake;

        @Override
        public void start(Intake newIntake) {
            intake = newIntake;
            synchronized (FakeAnswers.this) {
                sources.add(this);
                deliver();
            }
        }

        @Override
        public void capacityAvailable() {
            deliver();
        }

        @Override
        public void pause() {}

        @Override
        public void resume() {}

        @Override
        public CompletionStage<Void> stopIntake() {
            synchronized (FakeAnswers.this) {
                sources.remove(this);
            }
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public SourceStatus status() {
            return new SourceStatus(true, null, Set.of(), 0, List.of(), 0, 0);
        }

        @Override
        public void close(Duration timeout) {
            stopIntake();
        }
    }

    private final class Message implements Delivery, Settlement {

        private final byte[] payload;
        private final String coordinates;
        private final boolean redelivered;
        private final AtomicBoolean settled = new AtomicBoolean();

        Message(byte[] payload, String coordinates, boolean redelivered) {
            this.payload = payload;
            this.coordinates = coordinates;
            this.redelivered = redelivered;
        }

        @Override
        public byte[] payload() {
            return payload;
        }

        @Override
        public String header(String name) {
            return null;
        }

        @Override
        public String correlationId() {
            return null;
        }

        @Override
        public String replyTo() {
            return null;
        }

        @Override
        public String coordinates() {
            return coordinates;
        }

        @Override
        public boolean isRedelivered() {
            return redelivered;
        }

        @Override
        public long timestampMillis() {
            return -1;
        }

        @Override
        public Settlement settlement() {
            return this;
        }

        @Override
        public void acknowledge() {
            settled.set(true);
        }

        @Override
        public void release() {
            if (settled.compareAndSet(false, true)) {
                redeliver(this);
            }
        }
    }
}
