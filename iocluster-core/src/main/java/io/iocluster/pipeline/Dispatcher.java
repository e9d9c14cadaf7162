package io.iocluster.pipeline;

import io.iocluster.destination.Destination;
import io.iocluster.egress.Refusal;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.DecodedRequest;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.RequestDecoder;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import io.iocluster.transport.PutOff;
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
    private final Turns turns;
    private final Delays delays;
    private final Replies replies;
    private final PipelineEvents events;
    private final Tracing tracing;
    private final OpenCalls open;
    private volatile RequestDecoder decoder;
    private volatile Admission admission;
    private volatile Deadlines deadlines;
    private volatile boolean offered;
    private volatile boolean refusing;
    private volatile boolean stopped;

    /** The call of the message that is being accepted; null before there is one. */
    private Call arriving;

    /** What its destination had no room for when it was offered last; null if that was another. */
    private Call turnedAway;

    /** Who judged that call. */
    private Admission turnedAwayBy;

    Dispatcher(
            InFlightWindow window,
            RequestDecoder decoder,
            Admission admission,
            Deadlines deadlines,
            Turns turns,
            Delays delays,
            Replies replies,
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
        Permit permit = stopped ? null : window.tryAcquire(delivery.heldBytes());
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
    private void fail(Delivery delivery, Permit permit, Throwable bug) {
        try {
            Call begun = arriving;
            Call failed = begun != null ? begun : call(delivery, permit, null).openIn(open);
            failed.fail(bug);
        } catch (Throwable again) {
            LOG.error("Message failed because of a defect and is released source={}", delivery.coordinates(), again);
            delivery.settlement().release();
            permit.giveBack();
        }
    }

    /** Whether a delivery is being taken in at this moment. From any thread. */
    boolean isOffered() {
        return offered;
    }

    /**
     * Reads, judges and times what is taken in by these from now on. From any thread, while nothing is {@linkplain #isOffered
     * offered}.
     */
    void judgeBy(RequestDecoder nextDecoder, Admission nextAdmission, Deadlines nextDeadlines) {
        decoder = nextDecoder;
        admission = nextAdmission;
        deadlines = nextDeadlines;
    }

    /** Takes nothing more. From any thread. */
    void stop() {
        stopped = true;
    }

    private boolean arriveAgain(Call before, Permit permit) {
        permit.countMessage(before.permit.messageBytes() - permit.messageBytes());
        admission.makeRoomForAnswer(before.request, permit);
        return arrive(before.with(permit));
    }

    private boolean take(Delivery delivery, Permit permit) {
        if (delivery.problem() != null) {
            reject(call(delivery, permit, null), ErrorCode.MALFORMED_ENVELOPE, delivery.problem());
            return true;
        }
        DecodedRequest decoded = decoder.decode(delivery.payload());
        if (decoded instanceof DecodedRequest.Valid valid) {
            permit.countMessage(valid.envelope().heapBytes());
            return admit(delivery, permit, valid.envelope());
        } else if (decoded instanceof DecodedRequest.Invalid invalid) {
            permit.countMessage(invalid.envelope().heapBytes());
            reject(call(delivery, permit, invalid.envelope()), invalid.code(), invalid.message());
        } else if (decoded instanceof DecodedRequest.Malformed malformed) {
            reject(call(delivery, permit, null), ErrorCode.MALFORMED_ENVELOPE, malformed.message());
        }
        return true;
    }

    private boolean admit(Delivery delivery, Permit permit, RequestEnvelope envelope) {
        Optional<Refusal> refusal = admission.refusal(envelope, delivery);
        if (refusal.isPresent()) {
            reject(
                    call(delivery, permit, envelope),
                    refusal.get().code(),
                    refusal.get().message());
            return true;
        }
        return envelope.scatter() == null ? admitOne(delivery, permit, envelope) : scatter(delivery, permit, envelope);
    }

    private boolean admitOne(Delivery delivery, Permit permit, RequestEnvelope envelope) {
        Admission.Verdict verdict = admission.judge(envelope, delivery);
        if (verdict instanceof Admission.Refused refused) {
            reject(
                    call(delivery, permit, envelope),
                    refused.refusal().code(),
                    refused.refusal().message());
        } else if (verdict instanceof Admission.Admitted admitted) {
            Destination<Call> target = admitted.destination();
            admission.makeRoomForAnswer(admitted.request(), permit);
            PutOff earlier = PutOff.of(delivery);
            CallClock clock = earlier == null
                    ? deadlines.start(delivery, envelope, target.policy())
                    : deadlines.start(delivery, envelope, target.policy(), earlier);
            return arrive(new Call(delivery, permit, clock, envelope, admitted.request(), target, replies)
                    .goingOn(earlier)
                    .followedBy(tracing.taken(delivery, envelope)));
        }
        return true;
    }

    private boolean arrive(Call call) {
        arriving = call.openIn(open);
        if (deadlines.hasPassed(call.clock)) {
            reject(call, ErrorCode.DEADLINE_EXCEEDED);
            return true;
        }
        long early = delays.earlyMillis(call);
        Duration wait = early > 0 ? Duration.ofMillis(early) : Duration.ZERO;
        Optional<Duration> delay = early > 0 ? delays.of(call, wait) : Optional.empty();
        if (delay.isPresent()) {
            // It makes no attempt before it is due, however often its message is read until then.
            putOff(call, wait, delay.get(), ErrorCode.DELAY_TOO_LARGE, call::release);
            return true;
        }
        switch (early > 0 ? turns.arriveLater(call, wait) : turns.arrive(call)) {
            case ADMITTED, WAITS -> received(call);
            case FULL -> turnAway(call, ErrorCode.DESTINATION_FULL, wait);
            case BREAKER_OPEN -> turnAway(call, ErrorCode.BREAKER_OPEN, wait);
            case AGAIN -> {
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
        Optional<Duration> delay = delays.whenFull(call);
        if (delay.isPresent()) {
            events.putOff(call.destination(), code.wireName());
            Duration longer = wait.compareTo(delay.get()) > 0 ? wait : delay.get();
            putOff(call, longer, delay.get(), code, () -> fail(call, code));
        } else {
            reject(call, code);
        }
    }

    /** Delays a call. If its message does not fit the topic or queue of delayed retries, the call ends with the code. */
    private void putOff(Call call, Duration wait, Duration delay, ErrorCode tooLarge, Runnable refused) {
        received(call);
        if (call.end()) {
            delays.putOff(call, wait, delay, () -> fail(call, tooLarge), refused);
        }
    }

    private static void fail(Call call, ErrorCode code) {
        call.failed(code, code.meaning(), call.sent, AttemptTiming.NONE);
    }

    private void received(Call call) {
        events.received(delays.queuedMillis(call));
    }

    private boolean scatter(Delivery delivery, Permit permit, RequestEnvelope envelope) {
        CallClock clock = deadlines.start(delivery, envelope);
        Call whole = new Call(delivery, permit, clock, envelope, null, null, replies)
                .followedBy(tracing.taken(delivery, envelope))
                .openIn(open);
        arriving = whole;
        if (deadlines.hasPassed(clock)) {
            reject(whole, ErrorCode.DEADLINE_EXCEEDED);
            return true;
        }
        List<Branch> branches = branches(whole, new Gather(whole, envelope.scatter(), replies));
        if (branches.stream().anyMatch(Branch::isTooMuch)) {
            branches.forEach(branch -> branch.call().withdraw());
            whole.withdraw();
            turns.keepAtSource();
            return false;
        }
        events.received(clock.queuedMillis());
        branches.forEach(this::begin);
        return true;
    }

    private List<Branch> branches(Call whole, Gather gather) {
        List<Branch> branches = new ArrayList<>();
        for (RequestEnvelope each : whole.envelope.scatter().branches()) {
            branches.add(branch(whole, gather, each, branches.size()));
        }
        return branches;
    }

    private Branch branch(Call whole, Gather gather, RequestEnvelope envelope, int index) {
        Admission.Verdict verdict = admission.judge(envelope, whole.delivery);
        Refusal refusal = verdict instanceof Admission.Refused refused ? refused.refusal() : null;
        HttpRequest request = verdict instanceof Admission.Admitted admitted ? admitted.request() : null;
        Destination<Call> target = verdict instanceof Admission.Admitted admitted ? admitted.destination() : null;
        CallClock clock = target == null ? whole.clock : deadlines.ofBranch(whole.clock, envelope, target.policy());
        Permit permit = window.acquireBranch();
        if (request != null) {
            admission.makeRoomForAnswer(request, permit);
        }
        Call call = new Call(whole.delivery, permit, clock, envelope, request, target, gather.branch(index))
                .followedBy(whole.trace())
                .openIn(open);
        gather.has(index, call);
        return new Branch(call, refusal);
    }

    private void begin(Branch branch) {
        Call call = branch.call();
        if (branch.refusal() != null) {
            end(call, branch.refusal().code(), branch.refusal().message());
            return;
        }
        switch (turns.arriveAnyway(call)) {
            case ADMITTED, WAITS -> {}
            case FULL -> end(call, ErrorCode.DESTINATION_FULL, ErrorCode.DESTINATION_FULL.meaning());
            case BREAKER_OPEN -> end(call, ErrorCode.BREAKER_OPEN, ErrorCode.BREAKER_OPEN.meaning());
            case AGAIN -> release(call);
        }
    }

    /** One of several calls, and why it will not be tried, or null. */
    private record Branch(Call call, Refusal refusal) {

        boolean isTooMuch() {
            return refusal == null && call.target.isTooBusy(call);
        }
    }

    /** A message that will not be tried; the envelope is null where there is none. */
    private Call call(Delivery delivery, Permit permit, RequestEnvelope envelope) {
        return new Call(delivery, permit, deadlines.start(delivery), envelope, null, null, replies)
                .followedBy(tracing.taken(delivery, envelope));
    }

    private void reject(Call call, ErrorCode code) {
        reject(call, code, code.meaning());
    }

    private void reject(Call call, ErrorCode code, String message) {
        received(call);
        end(call, code, message);
    }

    private static void end(Call call, ErrorCode code, String message) {
        if (call.end()) {
            call.failed(code, message, call.sent, AttemptTiming.NONE);
        }
    }

    /** The node stops. */
    private static void release(Call call) {
        if (call.end()) {
            call.release();
        }
    }
}
