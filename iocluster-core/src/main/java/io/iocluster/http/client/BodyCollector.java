package io.iocluster.http.client;

import io.iocluster.http.BodyBudget;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * Collects a response body in one array, up to a limit and within the budget. Confined to the event loop.
 *
 * <p>Allocates the length that the target announces only if it is small, because it costs the target nothing to
 * announce a large one.
 */
final class BodyCollector {

    static final byte[] EMPTY = {};

    private static final int MAX_INITIAL_CAPACITY = 64 * 1024;

    private final int limit;
    private final BodyBudget budget;
    private final int initialCapacity;
    private byte[] bytes = EMPTY;
    private int length;

    /** @param announcedLength the {@code Content-Length}, or a negative number if unknown */
    BodyCollector(int limit, BodyBudget budget, long announcedLength) {
        this.limit = limit;
        this.budget = budget;
        this.initialCapacity = announcedLength <= MAX_INITIAL_CAPACITY ? (int) Math.min(announcedLength, limit) : 0;
    }

    /** Result of appending a part. */
    enum AppendResult {
        APPENDED,
        /** The limit is reached and the rest was dropped. */
        TRUNCATED,
        /** The budget is exhausted. */
        OVER_BUDGET,
        /** The body comes in too many small parts. */
        TOO_MANY_PARTS,
        /** The part does not match the response's {@code Content-Encoding}. */
        CORRUPT
    }

    /** Copies the part. The caller releases it. */
    AppendResult append(ByteBuf part) {
        int size = part.readableBytes();
        int copied = Math.min(size, limit - length);
        if (copied > 0) {
            if (!reserve(length + copied)) {
                return AppendResult.OVER_BUDGET;
            }
            part.getBytes(part.readerIndex(), bytes, length, copied);
            length += copied;
        }
        return copied < size ? AppendResult.TRUNCATED : AppendResult.APPENDED;
    }

    /** Returns the body and drops its reference to it, so that an ended attempt does not keep the body in memory. */
    byte[] takeArray() {
        byte[] taken = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
        bytes = EMPTY;
        length = 0;
        return taken;
    }

    private boolean reserve(int needed) {
        if (needed <= bytes.length) {
            return true;
        }
        int preferred = bytes.length == 0 ? initialCapacity : (int) Math.min(limit, bytes.length * 2L);
        return grow(Math.max(needed, preferred)) || (preferred > needed && grow(needed));
    }

    private boolean grow(int capacity) {
        if (!budget.tryReserve(capacity - bytes.length)) {
            return false;
        }
        bytes = Arrays.copyOf(bytes, capacity);
        return true;
    }
}
