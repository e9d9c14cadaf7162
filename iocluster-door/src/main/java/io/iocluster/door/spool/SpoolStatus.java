package io.iocluster.door.spool;

/**
 * The state of the spool at one time.
 *
 * @param calls calls that the broker has not confirmed
 * @param bytes their size
 * @param forwarding how many of them are on their way to the broker
 * @param waiting calls that the broker has and that wait for their answers
 * @param oldestSeconds age of the oldest call that the broker has not confirmed; 0 if there is none
 * @param accepted calls stored since the start
 * @param forwarded calls that the broker has confirmed since the start
 * @param expired calls whose deadline passed before the broker confirmed them
 * @param dropped calls that were dropped because the spool was full
 * @param refused calls that were refused because the spool was full
 * @param failed calls that were not stored or forwarded because of an error
 */
public record SpoolStatus(
        int calls,
        long bytes,
        int forwarding,
        int waiting,
        double oldestSeconds,
        long accepted,
        long forwarded,
        long expired,
        long dropped,
        long refused,
        long failed) {}
