package io.iocluster.pipeline;

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
 * Takes deliveries in: a permit first, then the envelope is read and checked, and what may be tried goes to a worker.
 * Confined to the source's thread.
 */
final class Dispatcher implements Intake {

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private final InFlightWindow window;
    private final RequestDecoder decoder;
    private final Admission admission;
    private final Deadlines deadlines;
    private final WorkerPool workers;
    private final Replies replies;
    private final PipelineEvents events;

    Dispatcher(
            InFlightWindow window,
            RequestDecoder decoder,
            Admission admission,
            Deadlines deadlines,
            WorkerPool workers,
            Replies replies,
            PipelineEvents events) {
        this.window = window;
        this.decoder = decoder;
        this.admission = admission;
        this.deadlines = deadlines;
        this.workers = workers;
        this.replies = replies;
        this.events = events;
    }

    @Override
    public boolean offer(Delivery delivery) {
        Permit permit = window.tryAcquire(delivery.payload().length);
        if (permit == null) {
            return false;
        }
        try {
            take(delivery, permit);
        } catch (RuntimeException bug) {
            LOG.error("defect while {} was taken in", delivery.coordinates(), bug);
            reject(call(delivery, permit, null), ErrorCode.INTERNAL, ErrorCode.INTERNAL.meaning());
        }
        return true;
    }

    private void take(Delivery delivery, Permit permit) {
        DecodedRequest decoded = decoder.decode(delivery.payload());
        if (decoded instanceof DecodedRequest.Valid valid) {
            admit(delivery, permit, valid.envelope());
        } else if (decoded instanceof DecodedRequest.Invalid invalid) {
            reject(call(delivery, permit, invalid.envelope()), invalid.code(), invalid.message());
        } else if (decoded instanceof DecodedRequest.Malformed malformed) {
            reject(call(delivery, permit, null), ErrorCode.MALFORMED_ENVELOPE, malformed.message());
        }
    }

    private void admit(Delivery delivery, Permit permit, RequestEnvelope envelope) {
        Admission.Verdict verdict = admission.judge(envelope, delivery);
        if (verdict instanceof Admission.Refused refused) {
            reject(
                    call(delivery, permit, envelope),
                    refused.refusal().code(),
                    refused.refusal().message());
        } else if (verdict instanceof Admission.Admitted admitted) {
            CallClock clock = deadlines.start(delivery, envelope);
            events.received(clock.queuedMillis());
            workers.dispatch(new Call(delivery, permit, clock, envelope, admitted.request()));
        }
    }

    /** A message that will not be tried; the envelope is null where there is none. */
    private Call call(Delivery delivery, Permit permit, RequestEnvelope envelope) {
        CallClock clock = deadlines.start(delivery, null);
        events.received(clock.queuedMillis());
        return new Call(delivery, permit, clock, envelope, null);
    }

    private void reject(Call call, ErrorCode code, String message) {
        if (call.end()) {
            replies.failed(call, code, message, Sent.NO, AttemptTiming.NONE);
        }
    }
}
