package io.iocluster.pipeline;

import io.iocluster.destination.Destination;
import io.iocluster.destination.Destinations;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.DecodedRequest;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.RequestDecoder;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.message.Sent;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes deliveries in: a permit first, then the envelope is read and checked, and what may be tried gets its turn at its
 * destination. Confined to the source's thread, but for its end.
 */
final class Dispatcher implements Intake {

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private final InFlightWindow window;
    private final RequestDecoder decoder;
    private final Admission admission;
    private final Deadlines deadlines;
    private final Destinations<Call> destinations;
    private final Turns turns;
    private final Replies replies;
    private final PipelineEvents events;
    private volatile boolean stopped;

    /** What its destination had no room for when it was offered last; null if that was another. */
    private Call turnedAway;

    Dispatcher(
            InFlightWindow window,
            RequestDecoder decoder,
            Admission admission,
            Deadlines deadlines,
            Destinations<Call> destinations,
            Turns turns,
            Replies replies,
            PipelineEvents events) {
        this.window = window;
        this.decoder = decoder;
        this.admission = admission;
        this.deadlines = deadlines;
        this.destinations = destinations;
        this.turns = turns;
        this.replies = replies;
        this.events = events;
    }

    @Override
    public boolean offer(Delivery delivery) {
        Permit permit = stopped ? null : window.tryAcquire(delivery.payload().length);
        if (permit == null) {
            return false;
        }
        try {
            Call before = turnedAway;
            turnedAway = null;
            boolean known = before != null && before.delivery == delivery;
            return known ? arrive(before.with(permit)) : take(delivery, permit);
        } catch (RuntimeException bug) {
            LOG.error("defect while {} was taken in", delivery.coordinates(), bug);
            reject(call(delivery, permit, null), ErrorCode.INTERNAL, ErrorCode.INTERNAL.meaning());
            return true;
        }
    }

    /** Takes nothing more. From any thread. */
    void stop() {
        stopped = true;
    }

    private boolean take(Delivery delivery, Permit permit) {
        DecodedRequest decoded = decoder.decode(delivery.payload());
        if (decoded instanceof DecodedRequest.Valid valid) {
            return admit(delivery, permit, valid.envelope());
        } else if (decoded instanceof DecodedRequest.Invalid invalid) {
            reject(call(delivery, permit, invalid.envelope()), invalid.code(), invalid.message());
        } else if (decoded instanceof DecodedRequest.Malformed malformed) {
            reject(call(delivery, permit, null), ErrorCode.MALFORMED_ENVELOPE, malformed.message());
        }
        return true;
    }

    private boolean admit(Delivery delivery, Permit permit, RequestEnvelope envelope) {
        Admission.Verdict verdict = admission.judge(envelope, delivery);
        if (verdict instanceof Admission.Refused refused) {
            reject(
                    call(delivery, permit, envelope),
                    refused.refusal().code(),
                    refused.refusal().message());
        } else if (verdict instanceof Admission.Admitted admitted) {
            HttpRequest request = admitted.request();
            Destination<Call> target = destinations.of(request.url().origin());
            CallClock clock = deadlines.start(delivery, envelope, target.policy());
            return arrive(new Call(delivery, permit, clock, envelope, request, target));
        }
        return true;
    }

    private boolean arrive(Call call) {
        if (deadlines.hasPassed(call.clock)) {
            reject(call, ErrorCode.DEADLINE_EXCEEDED);
            return true;
        }
        switch (turns.arrive(call)) {
            case ADMITTED, WAITS -> events.received(call.clock.queuedMillis());
            case FULL -> reject(call, ErrorCode.DESTINATION_FULL);
            case BREAKER_OPEN -> reject(call, ErrorCode.BREAKER_OPEN);
            case AGAIN -> {
                call.permit.withdraw();
                turnedAway = call;
                return false;
            }
        }
        return true;
    }

    /** A message that will not be tried; the envelope is null where there is none. */
    private Call call(Delivery delivery, Permit permit, RequestEnvelope envelope) {
        return new Call(delivery, permit, deadlines.start(delivery), envelope, null, null);
    }

    private void reject(Call call, ErrorCode code) {
        reject(call, code, code.meaning());
    }

    private void reject(Call call, ErrorCode code, String message) {
        events.received(call.clock.queuedMillis());
        if (call.end()) {
            replies.failed(call, code, message, Sent.NO, AttemptTiming.NONE);
        }
    }
}
