package io.iocluster.rabbit.connection;

import java.util.List;
import java.util.Map;

/**
 * The result of the {@link InboundGuard}'s inspection of one message, before its body is read. Immutable.
 *
 * @param tag the delivery tag
 * @param reservedBytes heap bytes of the message, already reserved in the {@link InboundBudget}
 * @param fullBytes heap bytes of the message with its body
 * @param bytesNeeded free bytes required to receive the body, including the copy that the client makes; 0 if it was received
 * @param isWithinBudget false if the body was discarded because it exceeded the budget; the message must be requeued
 * @param problem why the message can never be read, or null; the message must be dead-lettered
 * @param hasIgnoredProperty whether a string property that is not UTF-8 was removed
 */
public record InspectedMessage(
        long tag,
        long reservedBytes,
        long fullBytes,
        long bytesNeeded,
        boolean isWithinBudget,
        String problem,
        boolean hasIgnoredProperty) {

    /** Heap bytes of the objects of each delivery: delivery, properties, their strings, ledger entry. */
    static final int OVERHEAD_BYTES = 1_024;

    /** Heap bytes of a map entry with its key and a boxed value. */
    private static final int ENTRY_BYTES = 128;

    /** Returns the result for a message that was read completely. */
    public static InspectedMessage read(long tag, long bytes) {
        return new InspectedMessage(tag, bytes, bytes, 0, true, null, false);
    }

    /** Returns the result for a message that exceeds the budget now. */
    public static InspectedMessage overBudget(long tag, long fullBytes, long bytesNeeded) {
        return new InspectedMessage(tag, 0, fullBytes, bytesNeeded, false, null, false);
    }

    /** Returns the result for a message that can never be read. */
    static InspectedMessage unreadable(long tag, long bytes, String problem) {
        return new InspectedMessage(tag, bytes, bytes, 0, true, problem, false);
    }

    /** Returns the same result for a message without a property that is not UTF-8. */
    InspectedMessage withIgnoredProperty() {
        return new InspectedMessage(tag, reservedBytes, fullBytes, bytesNeeded, isWithinBudget, problem, true);
    }

    /** Returns the heap bytes of properties with these headers, decoded from a frame of this length. */
    static long heapBytes(Map<String, Object> headers, int frameBytes) {
        return OVERHEAD_BYTES + 2L * frameBytes + (long) ENTRY_BYTES * entries(headers);
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
