package io.iocluster.http.ahc;

import io.iocluster.http.BodyBudget;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * Gathers an answer's body into one array, up to a limit and as far as the budget allows. Confined to the event loop.
 *
 * <p>A length that the target announces is believed only where it is small: it costs nothing to claim a large one.
 */
final class BodyCollector {

    static final byte[] EMPTY = {};

    private static final int BELIEVED_LENGTH = 64 * 1024;

    private final int limit;
    private final BodyBudget budget;
    private final int firstCapacity;
    private byte[] bytes = EMPTY;
    private int length;

    /** @param announcedLength what the target says, or a negative number */
    BodyCollector(int limit, BodyBudget budget, long announcedLength) {
        this.limit = limit;
        this.budget = budget;
        this.firstCapacity = announcedLength <= BELIEVED_LENGTH ? (int) Math.min(announcedLength, limit) : 0;
    }

    /** What became of a part. */
    enum AppendResult {
        APPENDED,
        /** The limit is reached; the rest was dropped. */
        TRUNCATED,
        /** The budget has no room. */
        OVER_BUDGET,
        /** The part does not match the answer's {@code Content-Encoding}. */
        CORRUPT
    }

    /** Copies the part; it stays its owner's to release. */
    AppendResult append(ByteBuf part) {
        int size = part.readableBytes();
        int kept = Math.min(size, limit - length);
        if (kept > 0) {
            if (!reserve(length + kept)) {
                return AppendResult.OVER_BUDGET;
            }
            part.getBytes(part.readerIndex(), bytes, length, kept);
            length += kept;
        }
        return kept < size ? AppendResult.TRUNCATED : AppendResult.APPENDED;
    }

    byte[] toArray() {
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }

    private boolean reserve(int needed) {
        if (needed <= bytes.length) {
            return true;
        }
        int generous = bytes.length == 0 ? firstCapacity : (int) Math.min(limit, bytes.length * 2L);
        return grow(Math.max(needed, generous)) || (generous > needed && grow(needed));
    }

    private boolean grow(int capacity) {
        if (!budget.tryReserve(capacity - bytes.length)) {
            return false;
        }
        bytes = Arrays.copyOf(bytes, capacity);
        return true;
    }
}
