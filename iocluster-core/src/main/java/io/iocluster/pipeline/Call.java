package io.iocluster.pipeline;

import io.iocluster.http.HttpRequest;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.transport.Delivery;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One message on its way from {@link Dispatcher} to {@link Replies}. What changes in it belongs to the event loop of the
 * worker that has it; only its end may come from elsewhere, and the first end wins.
 */
final class Call {

    final Delivery delivery;
    final Permit permit;
    final CallClock clock;
    /** Null if the message was no envelope. */
    final RequestEnvelope envelope;
    /** Null if the envelope may not be tried. */
    final HttpRequest request;

    /** Whether an attempt was begun: from then on the target may have seen the call. */
    volatile boolean begun;

    int attempts;
    private final AtomicBoolean ended = new AtomicBoolean();

    Call(Delivery delivery, Permit permit, CallClock clock, RequestEnvelope envelope, HttpRequest request) {
        this.delivery = delivery;
        this.permit = permit;
        this.clock = clock;
        this.envelope = envelope;
        this.request = request;
    }

    /** The envelope's id, else the broker's correlation id, else where the message stands. */
    String id() {
        if (envelope != null && envelope.id() != null) {
            return envelope.id();
        }
        String correlation = delivery.correlationId();
        return correlation != null ? correlation : delivery.coordinates();
    }

    /** Null if the envelope may not be tried. */
    String destination() {
        return request == null ? null : request.url().destination();
    }

    /** A message that is no envelope says nothing of its wishes, and cannot be answered. */
    ReplyMode reply() {
        return envelope == null ? ReplyMode.NEVER : envelope.reply();
    }

    /** Where the sender wants its answer: by the envelope, else by the broker's own protocol, else null. */
    String replyTo() {
        return envelope != null && envelope.replyTo() != null ? envelope.replyTo() : delivery.replyTo();
    }

    /** True for the first caller only, who then ends the message. */
    boolean end() {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        permit.callEnded();
        return true;
    }

    boolean isEnded() {
        return ended.get();
    }
}
