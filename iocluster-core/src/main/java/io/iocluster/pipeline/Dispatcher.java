package io.iocluster.pipeline;

import io.iocluster.destination.CallPermit;
import io.iocluster.destination.Destination;
import io.iocluster.egress.Rejection;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.DecodedRequest;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.RequestDecoder;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes deliveries in: a permit first, then the envelope is read and checked, and what may be tried gets its turn at its
 * destination. Confined to the source's thread, but for its end.
 */
final class Dispatcher implements Intake {

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private final InFlightWindow window;
    private final CallScheduler turns;
    private final DelayedRetryPublisher delays;
    private final AnswerPublisher replies;
    private final PipelineEvents events;
    private final Tracing tracing;
    private final OpenCalls open;
    private volatile RequestDecoder decoder;
    private volatile RequestValidator admission;
    private volatile DeadlinePolicy deadlines;
    private volatile boolean offered;
    private volatile boolean refusing;
    private volatile boolean stopped;

    /** The call of the message that is being accepted; null before there is one. */
    private Call arriving;

    /** What its destination had no room for when it was offered last; null if that was another. */
    private Call turnedAway;

    /** Who judged that call. */
    private RequestValidator turnedAwayBy;

    Dispatcher(
            InFlightWindow window,
            RequestDecoder decoder,
            RequestValidator admission,
            DeadlinePolicy deadlines,
            CallScheduler turns,
            DelayedRetryPublisher delays,
            AnswerPublisher replies,
            PipelineEvents events,
            Tracing tracing,
            OpenCalls open) {
        this.window = window;
        this.decoder = decoder;
        this.admission = admission;
        this.deadlines = deadlines;
        this.turns = turns;
        this.delays = delays;
        this.replies = replies;
        this.events = events;
        this.tracing = tracing;
        this.open = open;
    }

    @Override
    public boolean offer(Delivery delivery) {
        offered = true;
        try {
            boolean taken = takeIn(delivery);
            if (taken == refusing) {
                refusing = !taken;
            }
            return taken;
        } finally {
            offered = false;
        }
    }

    /** Returns whether the last offered message was refused. Any thread. */
    boolean isRefusing() {
        return refusing;
    }

    private boolean takeIn(Delivery delivery) {
        CallPermit permit = stopped ? null : window.tryAcquire(delivery.heldBytes());
        if (permit == null) {
            return false;
        }
        arriving = null;
        try {
            Call before = turnedAway;
            turnedAway = null;
            boolean known = before != null && before.delivery == delivery && turnedAwayBy == admission;
            return known ? arriveAgain(before, permit) : take(delivery, permit);
        } catch (Throwable bug) {
            fail(delivery, permit, bug);
            return true;
        }
    }

    /** Ends a message after a defect: its call if there is one, else the message alone. Never throws. */
    private void fail(Delivery delivery, CallPermit permit, Throwable bug) {
        try {
            Call begun = arriving;
            Call failed = begun != null ? begun : call(delivery, permit, null).registerIn(open);
            failed.failWithDefect(bug);
        } catch (Throwable again) {
            LOG.error("Message failed because of a defect and is released source={}", delivery.coordinates(), again);
            delivery.settlement().release();
            permit.release();
        }
    }

    /** Whether a delivery is being taken in at this moment. From any thread. */
    boolean isOfferInProgress() {
        return offered;
    }

    /**
     * Reads, judges and times what is taken in by these from now on. From any thread, while nothing is {@linkplain #isOfferInProgress
     * offered}.
     */
    void applySettings(RequestDecoder nextDecoder, RequestValidator nextAdmission, DeadlinePolicy nextDeadlines) {
        decoder = nextDecoder;
        admission = nextAdmission;
        deadlines = nextDeadlines;
    }

    /** Takes nothing more. From any thread. */
    void stop() {
        stopped = true;
    }

    private boolean arriveAgain(Call before, CallPermit permit) {
        permit.addMessageBytes(before.permit.messageBytes() - permit.messageBytes());
        admission.makeRoomForAnswer(before.request, permit);
        return arrive(before.withPermit(permit));
    }

    private boolean take(Delivery delivery, CallPermit permit) {
        if (delivery.problem() != null) {
            reject(call(delivery, permit, null), ErrorCode.MALFORMED_ENVELOPE, delivery.problem());
            return true;
        }
        DecodedRequest decoded = decoder.decode(delivery.payload());
        if (decoded instanceof DecodedRequest.Valid valid) {
            permit.addMessageBytes(valid.envelope().heapBytes());
            return admit(delivery, permit, valid.envelope());
        } else if (decoded instanceof DecodedRequest.Invalid invalid) {
            permit.addMessageBytes(invalid.envelope().heapBytes());
            reject(call(delivery, permit, invalid.envelope()), invalid.code(), invalid.message());
        } else if (decoded instanceof DecodedRequest.Malformed malformed) {
            reject(call(delivery, permit, null), ErrorCode.MALFORMED_ENVELOPE, malformed.message());
        }
        return true;
    }

    private boolean admit(Delivery delivery, CallPermit permit, RequestEnvelope envelope) {
        Optional<Rejection> refusal = admission.validateReplyTo(envelope, delivery);
        if (refusal.isPresent()) {
            reject(
                    call(delivery, permit, envelope),
                    refusal.get().code(),
                    refusal.get().message());
            return true;
        }
        return envelope.scatter() == null ? admitOne(delivery, permit, envelope) : scatter(delivery, permit, envelope);
    }

    private boolean admitOne(Delivery delivery, CallPermit permit, RequestEnvelope envelope) {
        RequestValidator.Validation verdict = admission.validate(envelope, delivery);
        if (verdict instanceof RequestValidator.Rejected refused) {
            reject(
                    call(delivery, permit, envelope),
                    refused.refusal().code(),
                    refused.refusal().message());
        } else if (verdict instanceof RequestValidator.Accepted admitted) {
            Destination<Call> target = admitted.destination();
            admission.makeRoomForAnswer(admitted.request(), permit);
            DelayedRetry earlier = DelayedRetry.fromHeaders(delivery);
            CallDeadline clock = earlier == null
                    ? deadlines.start(delivery, envelope, target.policy())
                    : deadlines.start(delivery, envelope, target.policy(), earlier);
            return arrive(new Call(delivery, permit, clock, envelope, admitted.request(), target, replies)
                    .resumeFrom(earlier)
                    .withTrace(tracing.startMessage(delivery, envelope)));
        }
        return true;
    }

    private boolean arrive(Call call) {
        arriving = call.registerIn(open);
        if (deadlines.isExpired(call.clock)) {
            reject(call, ErrorCode.DEADLINE_EXCEEDED);
            return true;
        }
        long early = delays.millisUntilDue(call);
        Duration wait = early > 0 ? Duration.ofMillis(early) : Duration.ZERO;
        Optional<Duration> delay = early > 0 ? delays.selectDelay(call, wait) : Optional.empty();
        if (delay.isPresent()) {
            // It makes no attempt before it is due, however often its message is read until then.
            putOff(call, wait, delay.get(), ErrorCode.DELAYED_RETRY_TOO_LARGE, call::release);
            return true;
        }
        switch (early > 0 ? turns.scheduleAfter(call, wait) : turns.schedule(call)) {
            case ADMITTED, QUEUED -> received(call);
            case QUEUE_FULL -> turnAway(call, ErrorCode.DESTINATION_FULL, wait);
            case BREAKER_OPEN -> turnAway(call, ErrorCode.BREAKER_OPEN, wait);
            case BACKPRESSURE -> {
                call.withdraw();
                turnedAway = call;
                turnedAwayBy = admission;
                return false;
            }
        }
        return true;
    }

    /** Its destination has no room, and others must not wait for that. */
    private void turnAway(Call call, ErrorCode code, Duration wait) {
        Optional<Duration> delay = delays.selectDelayWhenFull(call);
        if (delay.isPresent()) {
            events.delayed(call.destinationName(), code.wireName());
            Duration longer = wait.compareTo(delay.get()) > 0 ? wait : delay.get();
            putOff(call, longer, delay.get(), code, () -> fail(call, code));
        } else {
            reject(call, code);
        }
    }

    /** Delays a call. If its message does not fit the topic or queue of delayed retries, the call ends with the code. */
    private void putOff(Call call, Duration wait, Duration delay, ErrorCode tooLarge, Runnable refused) {
        received(call);
        if (call.tryEnd()) {
            delays.delay(call, wait, delay, () -> fail(call, tooLarge), refused);
        }
    }

    private static void fail(Call call, ErrorCode code) {
        call.reportFailure(code, code.description(), call.sent, AttemptTiming.NONE);
    }

    private void received(Call call) {
        events.received(delays.queueWaitMillis(call));
    }

    private boolean scatter(Delivery delivery, CallPermit permit, RequestEnvelope envelope) {
        CallDeadline clock = deadlines.start(delivery, envelope);
        Call whole = new Call(delivery, permit, clock, envelope, null, null, replies)
                .withTrace(tracing.startMessage(delivery, envelope))
                .registerIn(open);
        arriving = whole;
        if (deadlines.isExpired(clock)) {
            reject(whole, ErrorCode.DEADLINE_EXCEEDED);
            return true;
        }
        List<ValidatedBranch> branches = branches(whole, new ScatterGather(whole, envelope.scatter(), replies));
        if (branches.stream().anyMatch(ValidatedBranch::isTooMuch)) {
            branches.forEach(branch -> branch.call().withdraw());
            whole.withdraw();
            turns.signalSourceOnNextTick();
            return false;
        }
        events.received(clock.queueWaitMillis());
        branches.forEach(this::begin);
        return true;
    }

    private List<ValidatedBranch> branches(Call whole, ScatterGather gather) {
        List<ValidatedBranch> branches = new ArrayList<>();
        for (RequestEnvelope each : whole.envelope.scatter().branches()) {
            branches.add(branch(whole, gather, each, branches.size()));
        }
        return branches;
    }

    private ValidatedBranch branch(Call whole, ScatterGather gather, RequestEnvelope envelope, int index) {
        RequestValidator.Validation verdict = admission.validate(envelope, whole.delivery);
        Rejection refusal = verdict instanceof RequestValidator.Rejected refused ? refused.refusal() : null;
        HttpRequest request = verdict instanceof RequestValidator.Accepted admitted ? admitted.request() : null;
        Destination<Call> target =
                verdict instanceof RequestValidator.Accepted admitted ? admitted.destination() : null;
        CallDeadline clock = target == null ? whole.clock : deadlines.forBranch(whole.clock, envelope, target.policy());
        CallPermit permit = window.acquireBranch();
        if (request != null) {
            admission.makeRoomForAnswer(request, permit);
        }
        Call call = new Call(whole.delivery, permit, clock, envelope, request, target, gather.branchListener(index))
                .withTrace(whole.trace())
                .registerIn(open);
        gather.addBranch(index, call);
        return new ValidatedBranch(call, refusal);
    }

    private void begin(ValidatedBranch branch) {
        Call call = branch.call();
        if (branch.refusal() != null) {
            end(call, branch.refusal().code(), branch.refusal().message());
            return;
        }
        switch (turns.scheduleBranch(call)) {
            case ADMITTED, QUEUED -> {}
            case QUEUE_FULL -> end(call, ErrorCode.DESTINATION_FULL, ErrorCode.DESTINATION_FULL.description());
            case BREAKER_OPEN -> end(call, ErrorCode.BREAKER_OPEN, ErrorCode.BREAKER_OPEN.description());
            case BACKPRESSURE -> release(call);
        }
    }

    /** One of several calls, and why it will not be tried, or null. */
    private record ValidatedBranch(Call call, Rejection refusal) {

        boolean isTooMuch() {
            return refusal == null && call.target.hasBackpressure(call);
        }
    }

    /** A message that will not be tried; the envelope is null where there is none. */
    private Call call(Delivery delivery, CallPermit permit, RequestEnvelope envelope) {
        return new Call(delivery, permit, deadlines.start(delivery), envelope, null, null, replies)
                .withTrace(tracing.startMessage(delivery, envelope));
    }

    private void reject(Call call, ErrorCode code) {
        reject(call, code, code.description());
    }

    private void reject(Call call, ErrorCode code, String message) {
        received(call);
        end(call, code, message);
    }

    private static void end(Call call, ErrorCode code, String message) {
        if (call.tryEnd()) {
            call.reportFailure(code, message, call.sent, AttemptTiming.NONE);
        }
    }

    /** The node stops. */
    private static void release(Call call) {
        if (call.tryEnd()) {
            call.release();
        }
    }
}
