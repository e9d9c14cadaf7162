package io.iocluster.rabbit.connection;

import java.util.List;
import java.util.Map;

/**
 * The result of the {@link InboundGuard}'s inspection of one message, before its body is read. Immutable.
 *
 * @param tag the delivery tag
 * @param bytes how many bytes of heap the message holds; already taken from the {@link InboundBudget}
 * @param size how many bytes it would hold with its body
 * @param needed how many free bytes its body needs to be received, including the copy that the client makes of it; 0 if it
 *     was received
 * @param hasRoom false if the body was discarded because the budget was used up; the message has to be requeued
 * @param problem why the message can never be read, or null; it has to be dead-lettered
 */
public record InspectedMessage(
        long tag, long reservedBytes, long fullBytes, long needed, boolean isWithinBudget, String problem) {

    /** Heap bytes of each delivery's objects: delivery, properties, their strings, the ledger's entry. */
    static final int OVERHEAD_BYTES = 1_024;

    /** Heap bytes of a map's entry with its key and a boxed value. */
    private static final int ENTRY = 128;

    /** Returns the arrival of a message that was read whole. */
    public static InspectedMessage read(long tag, long bytes) {
        return new InspectedMessage(tag, bytes, bytes, 0, true, null);
    }

    /** Returns the arrival of a message for which there is no room now. */
    public static InspectedMessage overBudget(long tag, long size, long needed) {
        return new InspectedMessage(tag, 0, size, needed, false, null);
    }

    /** Returns the arrival of a message that is read only in part. */
    static InspectedMessage unreadable(long tag, long bytes, String problem) {
        return new InspectedMessage(tag, bytes, bytes, 0, true, problem);
    }

    /** Returns the heap bytes of properties with these headers, decoded from a frame of this length. */
    static long heapBytes(Map<String, Object> headers, int frameBytes) {
        return OVERHEAD_BYTES + 2L * frameBytes + (long) ENTRY * entries(headers);
    }

    private static int entries(Object value) {
        int count = 1;
        if (value instanceof Map<?, ?> table) {
            for (Object each : table.values()) {
                count += entries(each);
            }
        } else if (value instanceof List<?> array) {
            for (Object each : array) {
                count += entries(each);
            }
        }
        return count;
    }
}
