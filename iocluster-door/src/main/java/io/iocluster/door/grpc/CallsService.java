package io.iocluster.door.grpc;

import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.iocluster.door.answers.KeptAnswers.Ended;
import io.iocluster.door.call.CallResult.Answered;
import io.iocluster.door.call.DoorCall;
import io.iocluster.door.http.Problem;
import io.iocluster.door.http.ProblemException;
import io.iocluster.door.intake.AsyncCalls;
import io.iocluster.door.intake.CallStarter;
import io.iocluster.transport.TraceContext;
import io.iocluster.v1.Answer;
import io.iocluster.v1.CallAsyncResponse;
import io.iocluster.v1.CallResult;
import io.iocluster.v1.CallsGrpc;
import io.iocluster.v1.Envelope;
import io.iocluster.v1.GetCallRequest;
import io.iocluster.v1.GetCallResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Implements the gRPC service {@code iocluster.v1.Calls}. No method blocks. Thread-safe. */
final class CallsService extends CallsGrpc.CallsImplBase {

    private static final Metadata.Key<String> TRACEPARENT = GrpcProblems.key(TraceContext.TRACEPARENT);
    private static final Metadata.Key<String> TRACESTATE = GrpcProblems.key(TraceContext.TRACESTATE);

    private final CallStarter starter;
    private final AsyncCalls asyncCalls;
    private final CallMessages messages;
    private final CallStreams streams;

    CallsService(CallStarter starter, AsyncCalls asyncCalls, CallMessages messages, CallStreams streams) {
        this.starter = starter;
        this.asyncCalls = asyncCalls;
        this.messages = messages;
        this.streams = streams;
    }

    @Override
    public void call(Envelope envelope, StreamObserver<Answer> observer) {
        Response<Answer> response = new Response<>(observer);
        GrpcRequest request = GrpcRequest.current();
        Deadline deadline = Context.current().getDeadline();
        response.guard(() -> {
            DoorCall call = messages.call(envelope, request, deadline);
            starter.start(request.app(), call).whenComplete((result, bug) -> {
                if (bug != null) {
                    response.fail(bug);
                } else {
                    response.guard(() -> {
                        Answer answer = messages.answer(call.id(), result);
                        addTrace(request, ((Answered) result).trace());
                        request.unread().add(answer.getSerializedSize());
                        response.succeed(answer);
                    });
                }
            });
        });
    }

    private static void addTrace(GrpcRequest request, TraceContext trace) {
        if (trace != null) {
            request.addTrailer(TRACEPARENT, trace.traceparent());
            if (trace.tracestate() != null) {
                request.addTrailer(TRACESTATE, trace.tracestate());
            }
        }
    }

    @Override
    public void callAsync(Envelope envelope, StreamObserver<CallAsyncResponse> observer) {
        Response<CallAsyncResponse> response = new Response<>(observer);
        GrpcRequest request = GrpcRequest.current();
        response.guard(() -> {
            // The deadline of the request limits only how long the door takes to accept the call.
            DoorCall call = messages.call(envelope, request, null);
            asyncCalls.start(request.app(), call).whenComplete((end, failure) -> {
                if (failure == null) {
                    end.complete(null);
                    response.succeed(
                            CallAsyncResponse.newBuilder().setId(call.id()).build());
                } else {
                    response.fail(failure);
                }
            });
        });
    }

    @Override
    public void getCall(GetCallRequest wanted, StreamObserver<GetCallResponse> observer) {
        Response<GetCallResponse> response = new Response<>(observer);
        GrpcRequest request = GrpcRequest.current();
        Deadline deadline = Context.current().getDeadline();
        response.guard(() -> {
            if (wanted.getWaitMs() < 0) {
                throw new ProblemException(Problem.of(400, "invalid-request", "wait_ms must not be negative"));
            }
            long wait = deadline == null
                    ? wanted.getWaitMs()
                    : Math.min(wanted.getWaitMs(), CallMessages.remainingMillis(deadline));
            CompletableFuture<Ended> end = asyncCalls.find(request.app(), wanted.getId());
            response.onCancel(() -> end.complete(null));
            end.thenAccept(ended -> response.guard(() -> {
                GetCallResponse state = state(wanted.getId(), ended);
                request.unread().add(state.getSerializedSize());
                response.succeed(state);
            }));
            asyncCalls.limitWait(request.app(), end, asyncCalls.allowed(Duration.ofMillis(wait)));
        });
    }

    private GetCallResponse state(String id, Ended ended) {
        GetCallResponse.Builder state = GetCallResponse.newBuilder().setId(id);
        if (ended != null) {
            state.setAnswer(messages.answer(id, ended.result()));
        }
        return state.build();
    }

    @Override
    public StreamObserver<Envelope> streamCalls(StreamObserver<CallResult> observer) {
        return streams.open(
                GrpcRequest.current(), Context.current().getDeadline(), (ServerCallStreamObserver<CallResult>)
                        observer);
    }
}
