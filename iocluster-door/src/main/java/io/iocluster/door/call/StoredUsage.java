package io.iocluster.door.call;

/**
 * How much of the store of calls is used.
 *
 * @param calls calls that are stored, or that wait for their answers
 * @param maxCalls their maximum number
 * @param bytes size of the calls that the broker has not confirmed
 * @param maxBytes their maximum size
 * @param oldestSeconds age of the oldest of them; 0 if there is none
 */
public record StoredUsage(long calls, long maxCalls, long bytes, long maxBytes, double oldestSeconds) {}
