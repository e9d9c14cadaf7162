package io.iocluster.pipeline.intake;

import io.iocluster.destination.CallPermit;
import io.iocluster.destination.Destination;
import io.iocluster.egress.Rejection;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.log.LogThrottle;
import io.iocluster.message.DecodedRequest;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.RequestDecoder;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.CallDeadline;
import io.iocluster.pipeline.call.CallScheduler;
import io.iocluster.pipeline.call.OpenCalls;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.pipeline.publish.AnswerPublisher;
import io.iocluster.pipeline.publish.DelayedRetryPublisher;
import io.iocluster.pipeline.publish.ScatterGather;
import io.iocluster.pipeline.validation.RequestValidator;
import io.iocluster.pipeline.validation.RequestValidator.Accepted;
import io.iocluster.pipeline.validation.RequestValidator.Rejected;
import io.iocluster.pipeline.validation.RequestValidator.Validation;
import io.iocluster.producer.AppRegistry;
import io.iocluster.thread.NodeClock;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.IgnoredInput;
import io.iocluster.transport.Intake;
import io.iocluster.transport.TraceContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts deliveries from the source: acquires a permit, decodes and validates the envelope, and passes the call to the
 * {@link CallScheduler}. Confined to the source's thread, except where a method says otherwise.
 */
public final class Dispatcher implements Intake {

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    private static final String LATE_MESSAGE = "the deadline had passed when the node read the message";

    private final InFlightWindow window;
    private final AppRegistry<Call> apps;
    private final CallScheduler scheduler;
    private final DelayedRetryPublisher delays;
    private final AnswerPublisher answerPublisher;
    private final ScatterAdmission scatterAdmission;
    private final PipelineEvents events;
    private final Tracing tracing;
    private final OpenCalls open;
    private final LogThrottle defectLog;
    private volatile RequestDecoder decoder;
    private volatile RequestValidator<Destination<Call>> validator;
    private volatile DeadlinePolicy deadlines;
    private volatile boolean offered;
    private volatile boolean refusing;
    private volatile boolean started;
    private volatile boolean stopped;

    /** The call of the message that is being accepted; null until it is created. */
    private Call current;

    /** The call of the last offer if it was refused with backpressure, else null. The source offers its delivery again. */
    private Call refusedCall;

    /** The validator of the refused call. */
    private RequestValidator<Destination<Call>> refusedBy;

    public Dispatcher(
            InFlightWindow window,
            CallRules rules,
            AppRegistry<Call> apps,
            CallScheduler scheduler,
            DelayedRetryPublisher delays,
            AnswerPublisher answerPublisher,
            ScatterAdmission scatterAdmission,
            PipelineEvents events,
            Tracing tracing,
            OpenCalls open,
            NodeClock clock) {
        this.window = window;
        applySettings(rules);
        this.apps = apps;
        this.scheduler = scheduler;
        this.delays = delays;
        this.answerPublisher = answerPublisher;
        this.scatterAdmission = scatterAdmission;
        this.events = events;
        this.tracing = tracing;
        this.open = open;
        this.defectLog = new LogThrottle(LOG, clock::nanos);
    }

    @Override
    public boolean offer(Delivery delivery) {
        offered = true;
        try {
            boolean accepted = accept(delivery);
            if (accepted == refusing) {
                refusing = !accepted;
            }
            return accepted;
        } finally {
            offered = false;
        }
    }

    /** Returns whether the last offered message was refused. Any thread. */
    boolean isRefusing() {
        return refusing;
    }

    private boolean accept(Delivery delivery) {
        CallPermit permit = stopped || !started ? null : window.tryAcquire(delivery.heldBytes());
        if (permit == null) {
            return false;
        }
        current = null;
        try {
            Call before = refusedCall;
            refusedCall = null;
            boolean offeredBefore = before != null && before.delivery() == delivery && refusedBy == validator;
            return offeredBefore ? acceptAgain(before, permit) : decode(delivery, permit);
        } catch (Throwable bug) {
            fail(delivery, permit, bug);
            return true;
        }
    }

    /** Ends a message after a defect, through its call if there is one. Never throws. */
    private void fail(Delivery delivery, CallPermit permit, Throwable bug) {
        try {
            Call failed =
                    current != null ? current : call(delivery, permit, null).register();
            failed.failWithDefect(bug);
        } catch (Throwable secondBug) {
            defectLog.error(
                    "Message failed because of a defect and will be released source={}",
                    delivery.coordinates(),
                    secondBug);
            answerPublisher.releaseLater(delivery, permit);
        }
    }

    /** Returns whether a delivery is being accepted at this moment. Any thread. */
    public boolean isOfferInProgress() {
        return offered;
    }

    /**
     * Applies new settings to all later deliveries. Any thread, but only while no {@linkplain #isOfferInProgress offer is in
     * progress}.
     */
    public void applySettings(CallRules next) {
        decoder = next.decoder();
        validator = next.validator();
        deadlines = next.deadlines();
    }

    /** Accepts deliveries from now on. Any thread. */
    public void start() {
        started = true;
    }

    /** Accepts no more deliveries. Any thread. */
    public void stop() {
        stopped = true;
    }

    private boolean acceptAgain(Call before, CallPermit permit) {
        permit.addMessageBytes(before.permit().messageBytes() - permit.messageBytes());
        validator.requireAnswerBytes(before.request(), permit);
        return schedule(before.withPermit(permit));
    }

    private boolean decode(Delivery delivery, CallPermit permit) {
        if (delivery.problem() != null) {
            ErrorCode code =
                    delivery.isDeliveryLimitReached() ? ErrorCode.DELIVERY_LIMIT : ErrorCode.MALFORMED_ENVELOPE;
            reject(call(delivery, permit, null), code, delivery.problem());
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
        Optional<Rejection> refusal = validator.validateReplyTo(envelope, delivery);
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
        Validation<Destination<Call>> validation = validator.validate(envelope, delivery);
        if (validation instanceof Rejected<Destination<Call>> refused) {
            reject(
                    call(delivery, permit, envelope),
                    refused.refusal().code(),
                    refused.refusal().message());
        } else if (validation instanceof Accepted<Destination<Call>> admitted) {
            Destination<Call> target = admitted.destination();
            validator.requireAnswerBytes(admitted.request(), permit);
            DelayedRetry earlier = DelayedRetry.fromHeaders(delivery);
            CallDeadline clock = deadlines.start(delivery, envelope, target.policy(), earlier);
            return schedule(call(delivery, permit, clock, envelope, admitted.request(), target, earlier));
        }
        return true;
    }

    private boolean schedule(Call unregistered) {
        Call call = unregistered.register();
        current = call;
        if (deadlines.isExpired(call.deadline())) {
            reject(call, ErrorCode.DEADLINE_EXCEEDED, LATE_MESSAGE);
            return true;
        }
        long early = delays.millisUntilDue(call);
        Duration wait = early > 0 ? Duration.ofMillis(early) : Duration.ZERO;
        Optional<Duration> delay = early > 0 ? delays.selectDelay(call, wait) : Optional.empty();
        if (delay.isPresent()) {
            // A redelivery that comes early must not cause an attempt before the retry is due.
            delay(call, wait, delay.get(), ErrorCode.DELAYED_RETRY_TOO_LARGE, call::release);
            return true;
        }
        switch (scheduler.offer(call, false)) {
            case ADMITTED, QUEUED -> received(call);
            case QUEUE_FULL -> delayOrReject(call, ErrorCode.DESTINATION_FULL, wait);
            case BREAKER_OPEN -> delayOrReject(call, ErrorCode.BREAKER_OPEN, wait);
            case OVER_QUOTA -> delayOrReject(call, ErrorCode.APP_OVER_QUOTA, wait);
            case BACKPRESSURE -> {
                call.withdraw();
                refusedCall = call;
                refusedBy = validator;
                return false;
            }
        }
        return true;
    }

    /** Delays or rejects a call whose destination or app cannot accept it, so that other calls do not wait for it. */
    private void delayOrReject(Call call, ErrorCode code, Duration wait) {
        Optional<Duration> delay = delays.selectDelayWhenFull(call);
        if (delay.isPresent()) {
            events.delayed(call.destinationName(), code.wireName());
            Duration longer = wait.compareTo(delay.get()) > 0 ? wait : delay.get();
            delay(call, longer, delay.get(), code, () -> fail(call, code));
        } else {
            reject(call, code);
        }
    }

    /** Delays a call. If its message does not fit the topic or queue of delayed retries, the call ends with the code. */
    private void delay(Call call, Duration wait, Duration delay, ErrorCode tooLarge, Runnable refused) {
        received(call);
        if (call.tryEnd()) {
            delays.delay(call, wait, delay, () -> fail(call, tooLarge), refused);
        }
    }

    private static void fail(Call call, ErrorCode code) {
        call.reportFailure(code, code.description(), call.progress().sent(), AttemptTiming.NONE);
    }

    private void received(Call call) {
        received(call.delivery(), delays.queueWaitMillis(call));
        if (call.delivery().isRedelivered() && call.target() != null) {
            events.redelivered(call.destinationName());
        }
    }

    private void received(Delivery delivery, long queueWaitMillis) {
        events.received(queueWaitMillis);
        IgnoredInput trace = TraceContext.ignored(delivery.traceContext(), delivery::header);
        if (trace != null) {
            events.inputIgnored(trace);
        }
        if (deadlines.ignoresTimestamp(delivery)) {
            events.inputIgnored(IgnoredInput.TIMESTAMP);
        }
        if (apps.isNameIgnored(delivery)) {
            events.inputIgnored(IgnoredInput.APP);
        }
        if (delivery.hasIgnoredProperty()) {
            events.inputIgnored(IgnoredInput.PROPERTY);
        }
    }

    private boolean scatter(Delivery delivery, CallPermit permit, RequestEnvelope envelope) {
        CallDeadline clock = deadlines.start(delivery, envelope);
        Call whole = call(delivery, permit, clock, envelope, null, null, null).register();
        current = whole;
        if (deadlines.isExpired(clock)) {
            reject(whole, ErrorCode.DEADLINE_EXCEEDED, LATE_MESSAGE);
            return true;
        }
        ScatterBranches branches = branches(
                whole, new ScatterGather(whole, envelope.scatter(), answerPublisher, scatterAdmission.sizes()));
        ScatterAdmission.Need need = scatterAdmission.need(branches);
        boolean resultsFull = scatterAdmission.isFull(need);
        if (branches.hasBackpressure(resultsFull)) {
            branches.withdraw();
            scheduler.signalSourceOnNextTick();
            return false;
        }
        received(delivery, clock.queueWaitMillis());
        if (delivery.isRedelivered()) {
            branches.tried().forEach(each -> events.redelivered(each.destinationName()));
        }
        if (resultsFull) {
            branches.end(ErrorCode.DESTINATION_FULL);
        } else if (branches.isAppFull()) {
            branches.end(ErrorCode.APP_OVER_QUOTA);
        } else {
            scatterAdmission.start(branches, need);
        }
        return true;
    }

    private ScatterBranches branches(Call whole, ScatterGather gather) {
        List<ScatterBranches.Branch> branches = new ArrayList<>();
        for (RequestEnvelope each : whole.envelope().scatter().branches()) {
            branches.add(branch(whole, gather, each, branches.size()));
        }
        return new ScatterBranches(whole, branches, scheduler);
    }

    private ScatterBranches.Branch branch(Call whole, ScatterGather gather, RequestEnvelope envelope, int index) {
        Validation<Destination<Call>> validation = validator.validate(envelope, whole.delivery());
        Rejection refusal = validation instanceof Rejected<Destination<Call>> refused ? refused.refusal() : null;
        Accepted<Destination<Call>> accepted =
                validation instanceof Accepted<Destination<Call>> admitted ? admitted : null;
        HttpRequest request = accepted == null ? null : accepted.request().withCallId(whole.id() + "/" + index);
        Destination<Call> target = accepted == null ? null : accepted.destination();
        CallDeadline clock =
                target == null ? whole.deadline() : deadlines.forBranch(whole.deadline(), envelope, target.policy());
        CallPermit permit = window.acquireBranch();
        if (request != null) {
            validator.requireAnswerBytes(request, permit);
        }
        Call call = new Call(
                        whole.delivery(),
                        permit,
                        clock,
                        envelope,
                        request,
                        target,
                        gather.branchListener(index),
                        null,
                        whole.trace(),
                        whole.app(),
                        open)
                .register();
        gather.addBranch(index, call);
        return new ScatterBranches.Branch(call, refusal);
    }

    /**
     * Returns the call of a message that will not be tried now. A delayed retry may have been tried before, and its answer says so. The
     * envelope is null if it is unreadable.
     */
    private Call call(Delivery delivery, CallPermit permit, RequestEnvelope envelope) {
        DelayedRetry earlier = DelayedRetry.fromHeaders(delivery);
        return call(delivery, permit, deadlines.start(delivery, earlier), envelope, null, null, earlier);
    }

    private Call call(
            Delivery delivery,
            CallPermit permit,
            CallDeadline clock,
            RequestEnvelope envelope,
            HttpRequest request,
            Destination<Call> target,
            DelayedRetry earlier) {
        return new Call(
                delivery,
                permit,
                clock,
                envelope,
                request,
                target,
                answerPublisher,
                earlier,
                tracing.startMessage(delivery, envelope),
                apps.appOf(delivery),
                open);
    }

    private void reject(Call call, ErrorCode code) {
        reject(call, code, code.description());
    }

    private void reject(Call call, ErrorCode code, String message) {
        received(call);
        call.fail(code, message);
    }
}
