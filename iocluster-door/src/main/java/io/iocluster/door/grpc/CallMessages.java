package io.iocluster.door.grpc;

import io.grpc.Deadline;
import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.CallResult.Answered;
import io.iocluster.door.call.CallResult.Failed;
import io.iocluster.door.call.DoorCall;
import io.iocluster.door.grpc.mirror.MirrorReader;
import io.iocluster.door.grpc.mirror.MirrorWriter;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Problem;
import io.iocluster.door.http.ProblemException;
import io.iocluster.door.intake.CallProblems;
import io.iocluster.door.intake.CallStarter;
import io.iocluster.v1.Answer;
import io.iocluster.v1.Envelope;
import java.util.concurrent.TimeUnit;

/** Converts envelopes of gRPC to calls, and the results of calls to answers of gRPC. Thread-safe. */
final class CallMessages {

    private static final long MAX_RETURN_MILLIS = 100;

    private final CallStarter starter;
    private final MirrorWriter writer = new MirrorWriter();
    private final MirrorReader reader = new MirrorReader();

    CallMessages(CallStarter starter) {
        this.starter = starter;
    }

    /**
     * Reads the envelope of a request. The deadline of the request limits the call, and is its deadline if the envelope has none.
     *
     * @param deadline when the caller stops waiting; null for never
     * @throws ProblemException if the envelope is not valid, or if the door has no memory for it
     */
    DoorCall call(Envelope envelope, GrpcRequest request, Deadline deadline) {
        return read(deadline == null ? envelope : within(envelope, remainingMillis(deadline)), request);
    }

    /**
     * Reads an envelope of a stream. The deadline of the stream limits the call, but does not lengthen it.
     *
     * @param deadline when the caller stops waiting; null for never
     * @throws ProblemException if the envelope is not valid, or if the door has no memory for it
     */
    DoorCall callOfStream(Envelope envelope, GrpcRequest request, Deadline deadline) {
        if (deadline == null) {
            return read(envelope, request);
        }
        long left = remainingMillis(deadline);
        long most = envelope.hasDeadlineMs()
                ? left
                : Math.min(left, starter.defaultDeadline().toMillis());
        return read(within(envelope, most), request);
    }

    private DoorCall read(Envelope envelope, GrpcRequest request) {
        byte[] json = writer.write(envelope);
        // The JSON is kept until the call ends. The request has reserved the bytes of the message as they arrived,
        // perhaps compressed.
        if (!request.tryReserveAtLeast(json.length)) {
            throw new ProblemException(DoorRequest.bodiesFull(request.appName()));
        }
        return starter.read(json, request.app(), request.trace());
    }

    /** Returns the envelope with this deadline if its own is longer or missing. */
    private static Envelope within(Envelope envelope, long millis) {
        return envelope.hasDeadlineMs() && envelope.getDeadlineMs() <= millis
                ? envelope
                : envelope.toBuilder().setDeadlineMs(millis).build();
    }

    /** Returns the time until the deadline without the time that the response needs: a tenth, at most 100 ms. At least 1. */
    static long remainingMillis(Deadline deadline) {
        long left = deadline.timeRemaining(TimeUnit.MILLISECONDS);
        return Math.max(1, left - Math.min(MAX_RETURN_MILLIS, left / 10));
    }

    /**
     * Returns the answer to a call.
     *
     * @throws ProblemException if it has none, or one that is not valid
     */
    Answer answer(String id, CallResult result) {
        if (!(result instanceof Answered answered)) {
            throw new ProblemException(CallProblems.of((Failed) result, id));
        }
        try {
            return reader.read(answered.answer(), Answer.newBuilder()).build();
        } catch (IllegalArgumentException invalid) {
            throw new ProblemException(Problem.of(
                    502,
                    "invalid-answer",
                    "the answer on the queue is not valid; the target may have received the call"));
        }
    }
}
