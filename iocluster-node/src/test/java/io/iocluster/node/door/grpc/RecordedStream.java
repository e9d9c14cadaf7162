package io.iocluster.node.door.grpc;

import static org.awaitility.Awaitility.await;

import io.grpc.stub.StreamObserver;
import io.iocluster.node.door.grpc.GrpcCaller.Refusal;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Records the messages of a stream and its end. Thread-safe. */
final class RecordedStream<A> implements StreamObserver<A> {

    private final BlockingQueue<A> messages = new LinkedBlockingQueue<>();
    private final CompletableFuture<Refusal> end = new CompletableFuture<>();

    /** Returns the next message. Waits for it up to a minute. */
    A next() {
        try {
            A message = messages.poll(1, TimeUnit.MINUTES);
            if (message == null) {
                throw new AssertionError("no message arrived; the end is " + end);
            }
            return message;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    /** Returns the next message; null if the stream ends without one. */
    A nextUnlessEnded() {
        await().until(() -> !messages.isEmpty() || end.isDone());
        return messages.poll();
    }

    int waiting() {
        return messages.size();
    }

    /** Returns the status of the stream. Waits for it up to a minute. */
    Refusal end() {
        return end.orTimeout(1, TimeUnit.MINUTES).join();
    }

    @Override
    public void onNext(A message) {
        messages.add(message);
    }

    @Override
    public void onError(Throwable failure) {
        end.complete(GrpcCaller.refusal(failure));
    }

    @Override
    public void onCompleted() {
        end.complete(new Refusal(io.grpc.Status.OK, new io.grpc.Metadata()));
    }
}
