package io.iocluster.door.grpc;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.iocluster.door.http.Problem;
import io.iocluster.door.http.ProblemException;
import io.iocluster.thread.StageFailure;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The response to a unary request. Only the first result is sent, and none to a caller that has cancelled its request. Thread-safe. */
final class Response<A> {

    private static final Logger LOG = LoggerFactory.getLogger(Response.class);

    private final ServerCallStreamObserver<A> observer;
    private final AtomicBoolean ended = new AtomicBoolean();

    private volatile Runnable onCancel = () -> {};

    /** Creates the response of a handler that runs now. */
    Response(StreamObserver<A> observer) {
        this.observer = (ServerCallStreamObserver<A>) observer;
        this.observer.setOnCancelHandler(() -> {
            ended.set(true);
            onCancel.run();
        });
    }

    /** Sets what runs if the caller cancels its request. Call it before the handler ends. */
    void onCancel(Runnable task) {
        onCancel = task;
    }

    void succeed(A message) {
        if (ended.compareAndSet(false, true)) {
            observer.onNext(message);
            observer.onCompleted();
        }
    }

    private void fail(Problem problem) {
        if (ended.compareAndSet(false, true)) {
            observer.onError(GrpcProblems.exception(problem));
        }
    }

    /** Runs a handler, and ends the response with what it throws. */
    void guard(Runnable handler) {
        try {
            handler.run();
        } catch (RuntimeException | Error failure) {
            fail(failure);
        }
    }

    /** Ends the response with a problem or a defect. */
    void fail(Throwable failure) {
        if (StageFailure.unwrap(failure) instanceof ProblemException refused) {
            fail(refused.problem());
        } else {
            LOG.error("Request over gRPC failed", failure);
            fail(defect());
        }
    }

    /** Returns the problem of a defect, whose details are in the log. */
    static Problem defect() {
        return Problem.of(500, "internal", "a defect in the door; its log has the details");
    }
}
