package io.iocluster.door.intake;

import io.iocluster.door.access.AnswerBudget;
import io.iocluster.door.access.App;
import io.iocluster.door.access.BodyBudget;
import io.iocluster.door.access.OpenCalls;
import io.iocluster.door.access.OpenCalls.Admission;
import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.Calls;
import io.iocluster.door.call.DoorCall;
import io.iocluster.door.call.Submission;
import io.iocluster.door.call.Submission.Refused;
import io.iocluster.door.call.Submission.Started;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Problem;
import io.iocluster.door.http.ProblemException;
import io.iocluster.door.traffic.AppTraffic;
import io.iocluster.door.traffic.DoorTraffic;
import io.iocluster.message.DecodedRequest;
import io.iocluster.message.DecodedRequest.Invalid;
import io.iocluster.message.DecodedRequest.Malformed;
import io.iocluster.message.DecodedRequest.Valid;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.RequestDecoder;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.thread.Platform;
import io.iocluster.transport.IgnoredInput;
import io.iocluster.transport.TraceContext;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Reads envelopes and starts their calls within the limits of the door and of the app. Thread-safe. */
public final class CallStarter {

    private static final long MAX_GROWTH = 6;

    private final Supplier<DoorSettings> settings;
    private final Calls calls;
    private final OpenCalls open;
    private final BodyBudget bodies;
    private final AnswerBudget answers;
    private final DoorTraffic traffic;
    private final RequestDecoder decoder;
    private final CallIds ids;

    /**
     * Creates a starter.
     *
     * @param settings returns the current settings
     * @param bodies holds the bytes of each envelope until its call ends
     * @param answers holds the bytes of the responses that callers have not read
     * @param traffic counts each call, and each one that ends with a problem instead of an answer
     * @param maxBranches maximum number of calls in one envelope
     */
    public CallStarter(
            Supplier<DoorSettings> settings,
            Calls calls,
            OpenCalls open,
            BodyBudget bodies,
            AnswerBudget answers,
            DoorTraffic traffic,
            int maxBranches,
            Platform platform) {
        this.ids = new CallIds(platform.uniqueId());
        this.settings = settings;
        this.calls = calls;
        this.open = open;
        this.bodies = bodies;
        this.answers = answers;
        this.traffic = traffic;
        // The servers limit the bodies. The JSON of a message of gRPC is up to six times larger than the message.
        this.decoder = new RequestDecoder(
                (int) Math.min(
                        Integer.MAX_VALUE,
                        MAX_GROWTH * settings.get().limits().maxBody().bytes()),
                maxBranches);
    }

    /**
     * Reads the trace context of a request, and counts a header that is not valid.
     *
     * @param headers returns the value of a header; null if it is missing
     * @return null if there is none, or an invalid one
     */
    public TraceContext readTrace(UnaryOperator<String> headers) {
        TraceContext trace = TraceContext.read(headers);
        IgnoredInput ignored = TraceContext.ignored(trace, headers);
        if (ignored != null) {
            traffic.inputIgnored(ignored);
        }
        return trace;
    }

    /**
     * Reads an envelope.
     *
     * @param encoded the bytes of the envelope, which the caller never changes
     * @param trace the caller's trace context; null for none
     * @throws ProblemException if it is not valid
     */
    public DoorCall read(byte[] encoded, App app, TraceContext trace) {
        DecodedRequest decoded = decoder.decode(encoded);
        if (decoded instanceof Malformed malformed) {
            throw rejected(ErrorCode.MALFORMED_ENVELOPE, malformed.message());
        }
        if (decoded instanceof Invalid invalid) {
            throw rejected(invalid.code(), invalid.message());
        }
        RequestEnvelope envelope = ((Valid) decoded).envelope();
        if (envelope.reply() != ReplyMode.ALWAYS || envelope.replyTo() != null) {
            throw rejected(
                    ErrorCode.INVALID_ENVELOPE,
                    "reply and replyTo are not supported here, because the door returns the answer");
        }
        return call(envelope, encoded, app, trace);
    }

    private static ProblemException rejected(ErrorCode code, String detail) {
        return new ProblemException(CallProblems.of(CallResult.rejected(code.wireName(), detail)));
    }

    /**
     * Returns the call of an envelope, with an id and a deadline.
     *
     * @param encoded the bytes of the envelope; null if the door created it
     * @param trace the caller's trace context; null for none
     */
    public DoorCall call(RequestEnvelope envelope, byte[] encoded, App app, TraceContext trace) {
        String id = envelope.id() == null ? ids.next() : envelope.id();
        return new DoorCall(id, envelope, encoded, deadline(envelope.deadlineMs()), app.name(), trace);
    }

    /** Returns the deadline of a call whose envelope has none. */
    public Duration defaultDeadline() {
        return settings.get().deadline();
    }

    private Duration deadline(long millis) {
        DoorSettings current = settings.get();
        if (millis <= 0) {
            return current.deadline();
        }
        return millis >= current.maxDeadline().toMillis() ? current.maxDeadline() : Duration.ofMillis(millis);
    }

    /**
     * Starts a call.
     *
     * @throws ProblemException if a limit forbids it, or the door drains
     */
    public CompletionStage<CallResult> start(App app, DoorCall call) {
        Open started = admit(app, call);
        try {
            return calls.call(call).whenComplete((result, bug) -> end(started, result));
        } catch (RuntimeException | Error bug) {
            end(started, null);
            throw bug;
        }
    }

    /**
     * Takes a call whose caller does not wait. A stored call counts as open only until it is stored.
     *
     * @throws ProblemException if a limit forbids it, or the door drains
     */
    public CompletionStage<Submission> submit(App app, DoorCall call) {
        Open started = admit(app, call);
        try {
            return calls.submit(call).whenComplete((submission, bug) -> {
                if (submission instanceof Started running) {
                    running.result().whenComplete((result, failure) -> end(started, result));
                } else {
                    end(started, submission instanceof Refused refused ? refused.reason() : null);
                }
            });
        } catch (RuntimeException | Error bug) {
            end(started, null);
            throw bug;
        }
    }

    /** A call that counts as open, and what it holds. */
    private record Open(App app, DoorCall call, AppTraffic traffic, int branches, long bytes) {}

    private Open admit(App app, DoorCall call) {
        String forbidden = app.forbiddenHost(call.envelope());
        if (forbidden != null) {
            throw new ProblemException(Problem.of(
                    403,
                    "destination-not-allowed",
                    "the app " + app.name() + " may not call " + forbidden + "; see its destinations in door.apps"));
        }
        if (!answers.mayStart(app.name())) {
            throw new ProblemException(Problem.retryable(
                    429,
                    "door-full",
                    "callers have not read their responses: those of the app " + app.name() + " have more than a"
                            + " quarter of door.limits.max-answers, or those of all apps more than three quarters; read"
                            + " them, raise the limit, or try again later"));
        }
        int branches = branches(call);
        int max = maxBranches(app);
        if (branches > max) {
            throw new ProblemException(Problem.of(
                    400,
                    "too-many-branches",
                    "the envelope has " + branches + " calls, but at most " + max
                            + " may be in flight at the same time; send fewer in one envelope, or raise"
                            + " door.limits.max-in-flight and the max-in-flight of the app"));
        }
        long bytes = call.envelope().heapBytes();
        if (!bodies.tryReserve(app.name(), bytes)) {
            throw new ProblemException(DoorRequest.bodiesFull(app.name()));
        }
        Admission admission = open.tryStart(app, call.id(), branches);
        if (admission != Admission.STARTED) {
            bodies.release(app.name(), bytes);
            throw new ProblemException(refusal(admission, app, branches));
        }
        AppTraffic counted = traffic.callStarted(app.name(), branches);
        return new Open(app, call, counted, branches, bytes);
    }

    /** Returns the largest number of calls in one envelope that the limits of the door and of the app allow. */
    private int maxBranches(App app) {
        int ofDoor = settings.get().limits().maxInFlight();
        return app.maxInFlight() == 0 ? ofDoor : Math.min(ofDoor, app.maxInFlight());
    }

    private static int branches(DoorCall call) {
        return call.envelope().scatter() == null
                ? 1
                : call.envelope().scatter().branches().size();
    }

    /** Ends a call that counts as open. {@code result} is null if it has none. */
    private void end(Open ended, CallResult result) {
        open.end(ended.app(), ended.call().id(), ended.branches());
        ended.traffic().ended(ended.branches());
        bodies.release(ended.app().name(), ended.bytes());
        CallProblems.count(traffic, ended.app().name(), result);
    }

    private Problem refusal(Admission admission, App app, int branches) {
        String calls = branches == 1 ? "" : "; the envelope has " + branches + " calls";
        return switch (admission) {
            case APP_OVER_QUOTA ->
                Problem.retryable(
                        429, "app-over-quota", "the app " + app.name() + " is over its limits in door.apps" + calls);
            case DRAINING -> Problem.retryable(503, "draining", "the door stops");
            case ID_IN_USE -> Problem.of(409, "id-in-use", "the app has an open call with this id");
            case DOOR_FULL, STARTED ->
                Problem.retryable(
                        429,
                        "door-full",
                        "the door works on " + settings.get().limits().maxInFlight()
                                + " calls; raise door.limits.max-in-flight, or try again later" + calls);
        };
    }
}
