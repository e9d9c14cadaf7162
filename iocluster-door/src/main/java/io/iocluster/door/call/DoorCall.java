package io.iocluster.door.call;

import io.iocluster.message.RequestEnvelope;
import io.iocluster.transport.TraceContext;
import java.time.Duration;

/**
 * A call that the door has accepted. Immutable.
 *
 * @param id the id of the answer; the envelope's if it has one
 * @param envelope the envelope, without reply and replyTo
 * @param encoded the bytes that the caller sent for the envelope; null if the door created it
 * @param deadline the longest duration of the call
 * @param app the name of the caller
 * @param trace the caller's trace context; null for none
 */
public record DoorCall(
        String id, RequestEnvelope envelope, byte[] encoded, Duration deadline, String app, TraceContext trace) {}
