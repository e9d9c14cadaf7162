package io.iocluster.door.call;

import io.iocluster.transport.TraceContext;

/**
 * A call that is stored until the broker has it. Immutable.
 *
 * @param app the name of the caller
 * @param id the id that the caller knows
 * @param queueId the secret id on the queue. It stays the same, so that the answer to a duplicate also ends the call
 * @param envelope the encoded envelope; callers never write to the array
 * @param trace the caller's trace context; null for none
 * @param acceptedMillis when the door accepted the call, in epoch milliseconds
 * @param expiresMillis the deadline, in epoch milliseconds
 */
public record StoredCall(
        String app,
        String id,
        String queueId,
        byte[] envelope,
        TraceContext trace,
        long acceptedMillis,
        long expiresMillis) {}
