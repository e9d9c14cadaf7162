package io.iocluster.door.grpc;

import io.grpc.Deadline;
import io.grpc.SynchronizationContext;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.CallResult.Failed;
import io.iocluster.door.call.DoorCall;
import io.iocluster.door.grpc.CallStreams.Shared;
import io.iocluster.door.http.Problem;
import io.iocluster.door.http.ProblemException;
import io.iocluster.v1.Envelope;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream of calls in progress. It reads no further envelopes while its limit of open calls is reached, and a call is open until the
 * connection takes its result. Its state is confined to its synchronization context; the methods may be called by any thread.
 */
final class CallStream implements StreamObserver<Envelope> {

    private static final Logger LOG = LoggerFactory.getLogger(CallStream.class);

    private final SynchronizationContext context = new SynchronizationContext((thread, defect) -> failed(defect));
    private final Shared shared;
    private final int maxOpen;
    private final GrpcRequest request;
    private final Deadline deadline;
    private final ServerCallStreamObserver<io.iocluster.v1.CallResult> output;
    private final Consumer<CallStream> onClosed;
    private final Queue<io.iocluster.v1.CallResult> unsent = new ArrayDeque<>();
    private Future<?> tooOld;
    private long received;
    private int open;
    /** Bytes of the last result that was sent; 0 if the connection has taken it. */
    private long sending;

    private boolean requested;
    private boolean inputEnded;
    private boolean closed;
    /** Why the stream ends early; null if it does not. */
    private Problem ending;

    /**
     * Creates a stream.
     *
     * @param maxOpen maximum number of open calls
     * @param deadline when the caller stops waiting; null for never
     * @param onClosed receives this stream when it is closed
     */
    CallStream(
            Shared shared,
            int maxOpen,
            GrpcRequest request,
            Deadline deadline,
            ServerCallStreamObserver<io.iocluster.v1.CallResult> output,
            Consumer<CallStream> onClosed) {
        this.shared = shared;
        this.maxOpen = maxOpen;
        this.request = request;
        this.deadline = deadline;
        this.output = output;
        this.onClosed = onClosed;
    }

    /**
     * Sets the task that ends the stream when it is too old. Call it first.
     *
     * @param timeout cancelled when the stream is closed
     */
    void expire(Future<?> timeout) {
        tooOld = timeout;
    }

    /** Starts to read. Call it in the handler of the stream. */
    void start() {
        output.disableAutoRequest();
        // Ready then means that the connection has taken all results. By default it does not say when it has taken a
        // small one.
        output.setOnReadyThreshold(1);
        output.setOnReadyHandler(() -> context.execute(this::proceed));
        output.setOnCancelHandler(() -> context.execute(this::close));
        context.execute(this::proceed);
    }

    @Override
    public void onNext(Envelope envelope) {
        context.execute(() -> accept(envelope));
    }

    @Override
    public void onCompleted() {
        context.execute(() -> {
            inputEnded = true;
            proceed();
        });
    }

    @Override
    public void onError(Throwable cancelled) {
        context.execute(this::close);
    }

    /** Reads no further envelopes, and ends the stream with this problem when its open calls have ended. */
    void end(Problem problem) {
        context.execute(() -> {
            if (ending == null) {
                ending = problem;
                proceed();
            }
        });
    }

    /** Ends the stream at once, because the envelope that arrives is late, or the door has no memory for it. */
    void refuseInput(Problem problem) {
        context.execute(() -> closeWith(problem));
    }

    private void failed(Throwable defect) {
        LOG.error("Stream over gRPC failed", defect);
        closeWith(Response.defect());
    }

    private void accept(Envelope envelope) {
        requested = false;
        long position = ++received;
        if (closed) {
            return;
        }
        open++;
        try {
            Problem problem = request.takeMessageProblem();
            if (problem != null) {
                throw new ProblemException(problem);
            }
            DoorCall call = shared.messages().callOfStream(envelope, request, deadline);
            CompletionStage<CallResult> started = shared.starter().start(request.app(), call);
            long bytes = request.takeReserved();
            started.whenComplete((result, bug) -> {
                shared.bodies().release(request.appName(), bytes);
                context.execute(() -> ended(position, call.id(), result, bug));
            });
        } catch (ProblemException refused) {
            shared.bodies().release(request.appName(), request.takeReserved());
            refuse(position, envelope.getId(), refused.problem());
        }
        proceed();
    }

    private void ended(long position, String id, CallResult result, Throwable bug) {
        if (bug != null) {
            LOG.error("Call of a stream failed position={}", position, bug);
            refuse(position, id, Response.defect());
        } else {
            try {
                send(result(position, id)
                        .setAnswer(shared.messages().answer(id, result))
                        .build());
            } catch (ProblemException without) {
                if (result instanceof Failed) {
                    // The starter has counted it.
                    send(position, id, without.problem());
                } else {
                    refuse(position, id, without.problem());
                }
            }
        }
        proceed();
    }

    /** Sends and counts a problem. */
    private void refuse(long position, String id, Problem problem) {
        shared.traffic().problem(request.app().name(), problem.code());
        send(position, id, problem);
    }

    private void send(long position, String id, Problem problem) {
        send(result(position, id).setProblem(GrpcProblems.message(problem)).build());
    }

    private void send(io.iocluster.v1.CallResult result) {
        request.unread().add(result.getSerializedSize());
        unsent.add(result);
    }

    private static io.iocluster.v1.CallResult.Builder result(long position, String id) {
        return io.iocluster.v1.CallResult.newBuilder().setPosition(position).setId(id);
    }

    private void proceed() {
        while (!closed && output.isReady()) {
            // The connection has taken what was sent before.
            request.unread().sent(sending);
            sending = 0;
            io.iocluster.v1.CallResult result = unsent.poll();
            if (result == null) {
                break;
            }
            sending = result.getSerializedSize();
            output.onNext(result);
            open--;
        }
        if (closed) {
            return;
        }
        if (!inputEnded && ending == null) {
            requestNext();
        } else if (open == 0 && ending != null) {
            closeWith(ending);
        } else if (open == 0) {
            close();
            output.onCompleted();
        }
    }

    private void requestNext() {
        if (!requested && open < maxOpen) {
            requested = true;
            output.request(1);
        }
    }

    private void closeWith(Problem problem) {
        if (!closed) {
            close();
            output.onError(GrpcProblems.exception(problem));
        }
    }

    private void close() {
        closed = true;
        unsent.clear();
        tooOld.cancel(false);
        onClosed.accept(this);
    }
}
