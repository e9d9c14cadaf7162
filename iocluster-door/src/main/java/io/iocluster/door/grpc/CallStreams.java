package io.iocluster.door.grpc;

import io.grpc.Deadline;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.iocluster.door.access.BodyBudget;
import io.iocluster.door.config.DoorLimits;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Problem;
import io.iocluster.door.intake.CallStarter;
import io.iocluster.door.traffic.DoorTraffic;
import io.iocluster.v1.CallResult;
import io.iocluster.v1.Envelope;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Opens streams of calls, and ends them when the door stops or they are too old. Thread-safe. */
final class CallStreams {

    private final Shared shared;
    private final Supplier<DoorSettings> settings;
    private final ScheduledExecutorService scheduler;
    private final Set<CallStream> open = ConcurrentHashMap.newKeySet();
    private volatile boolean draining;

    /** What all streams use. */
    record Shared(CallStarter starter, CallMessages messages, BodyBudget bodies, DoorTraffic traffic) {}

    /**
     * Creates the streams of a server.
     *
     * @param traffic counts the envelopes that are refused
     * @param settings the current settings; a stream keeps the limits that it starts with
     * @param scheduler runs short tasks
     */
    CallStreams(
            CallStarter starter,
            CallMessages messages,
            BodyBudget bodies,
            DoorTraffic traffic,
            Supplier<DoorSettings> settings,
            ScheduledExecutorService scheduler) {
        this.shared = new Shared(starter, messages, bodies, traffic);
        this.settings = settings;
        this.scheduler = scheduler;
    }

    /** Opens a stream for a handler that runs now. */
    StreamObserver<Envelope> open(GrpcRequest request, Deadline deadline, ServerCallStreamObserver<CallResult> output) {
        DoorLimits limits = settings.get().limits();
        CallStream stream = new CallStream(shared, limits.batchInFlight(), request, deadline, output, open::remove);
        Problem tooOld = Problem.retryable(
                503, "stream-ended", "the stream is as old as door.limits.batch-duration allows; open another one");
        stream.expire(scheduler.schedule(
                () -> stream.end(tooOld), limits.batchDuration().toMillis(), TimeUnit.MILLISECONDS));
        open.add(stream);
        stream.start();
        // On another thread, because this one is in the middle of a message.
        request.onRefused(problem -> scheduler.execute(() -> stream.refuseInput(problem)));
        request.limitArrival(() -> scheduler.schedule(
                () -> stream.refuseInput(DoorRequest.timeout()),
                limits.bodyTimeout().toMillis(),
                TimeUnit.MILLISECONDS));
        // After the stream is in the set, so that none is missed.
        if (draining) {
            stream.end(drainingProblem());
        }
        return stream;
    }

    /** Reads no further envelopes, and ends each stream when its open calls have ended. */
    void drain() {
        draining = true;
        open.forEach(stream -> stream.end(drainingProblem()));
    }

    private static Problem drainingProblem() {
        return Problem.retryable(503, "draining", "the door stops");
    }
}
