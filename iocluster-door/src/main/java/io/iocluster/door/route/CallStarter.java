package io.iocluster.door.route;

import io.iocluster.door.access.App;
import io.iocluster.door.access.BodyBudget;
import io.iocluster.door.access.OpenCalls;
import io.iocluster.door.access.OpenCalls.Admission;
import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.Calls;
import io.iocluster.door.call.DoorCall;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Problem;
import io.iocluster.door.http.ProblemException;
import io.iocluster.message.DecodedRequest;
import io.iocluster.message.DecodedRequest.Invalid;
import io.iocluster.message.DecodedRequest.Malformed;
import io.iocluster.message.DecodedRequest.Valid;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.RequestDecoder;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.transport.TraceContext;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Reads envelopes and starts their calls within the limits of the door and of the app. Thread-safe. */
public final class CallStarter {

    private final DoorSettings settings;
    private final Calls calls;
    private final OpenCalls open;
    private final BodyBudget bodies;
    private final RequestDecoder decoder;
    private final CallIds ids = new CallIds();

    /**
     * Creates a starter.
     *
     * @param bodies holds the bytes of each envelope until its call ends
     * @param maxBranches maximum number of calls in one envelope
     */
    public CallStarter(DoorSettings settings, Calls calls, OpenCalls open, BodyBudget bodies, int maxBranches) {
        this.settings = settings;
        this.calls = calls;
        this.open = open;
        this.bodies = bodies;
        this.decoder = new RequestDecoder(
                (int) Math.min(Integer.MAX_VALUE, settings.limits().maxBody().bytes()), maxBranches);
    }

    /**
     * Reads an envelope.
     *
     * @throws ProblemException if it is not valid
     */
    DoorCall read(byte[] encoded, App app, TraceContext trace) {
        DecodedRequest decoded = decoder.decode(encoded);
        if (decoded instanceof Malformed malformed) {
            throw invalid(ErrorCode.MALFORMED_ENVELOPE.wireName(), malformed.message());
        }
        if (decoded instanceof Invalid invalid) {
            throw invalid(invalid.code().wireName(), invalid.message());
        }
        RequestEnvelope envelope = ((Valid) decoded).envelope();
        if (envelope.reply() != ReplyMode.ALWAYS || envelope.replyTo() != null) {
            throw invalid(
                    ErrorCode.INVALID_ENVELOPE.wireName(),
                    "reply and replyTo are not supported here, because the door returns the answer");
        }
        return call(envelope, encoded, app, trace);
    }

    private static ProblemException invalid(String code, String detail) {
        return new ProblemException(Problem.of(400, code, detail));
    }

    /** Returns the call of an envelope, with an id and a deadline. */
    DoorCall call(RequestEnvelope envelope, byte[] encoded, App app, TraceContext trace) {
        String id = envelope.id() == null ? ids.next() : envelope.id();
        return new DoorCall(id, envelope, encoded, deadline(envelope.deadlineMs()), app.name(), trace);
    }

    private Duration deadline(long millis) {
        if (millis <= 0) {
            return settings.deadline();
        }
        return millis >= settings.maxDeadline().toMillis() ? settings.maxDeadline() : Duration.ofMillis(millis);
    }

    /**
     * Starts a call.
     *
     * @throws ProblemException if a limit forbids it, or the door drains
     */
    CompletionStage<CallResult> start(App app, DoorCall call) {
        long bytes = call.envelope().heapBytes();
        if (!bodies.tryReserve(bytes)) {
            throw new ProblemException(DoorRequest.bodiesFull());
        }
        Admission admission = open.tryStart(app);
        if (admission != Admission.STARTED) {
            bodies.release(bytes);
            throw new ProblemException(refusal(admission, app));
        }
        try {
            return calls.call(call).whenComplete((result, bug) -> end(app, bytes));
        } catch (RuntimeException | Error bug) {
            end(app, bytes);
            throw bug;
        }
    }

    private void end(App app, long bytes) {
        open.end(app);
        bodies.release(bytes);
    }

    private Problem refusal(Admission admission, App app) {
        return switch (admission) {
            case APP_OVER_QUOTA ->
                Problem.retryable(429, "app-over-quota", "the app " + app.name() + " is over its limits in door.apps");
            case DRAINING -> Problem.retryable(503, "draining", "the door stops");
            case DOOR_FULL, STARTED ->
                Problem.retryable(
                        429,
                        "door-full",
                        "the door works on " + settings.limits().maxInFlight()
                                + " calls; raise door.limits.max-in-flight, or try again later");
        };
    }
}
