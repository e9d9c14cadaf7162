package io.iocluster.kafka.ledger;

import java.util.Arrays;

/**
 * Tracks which offsets of one partition are completed or in flight, during one assignment. Confined to the poll
 * thread.
 *
 * <p>Two circular bitmaps start at the {@linkplain #watermark watermark}, the lowest incomplete offset, and grow to the
 * span. A tracked offset is in flight until it is completed or released. An offset without a record, for example
 * because of compaction or a transaction marker, is completed when the position passes it.
 */
public final class OffsetLedger {

    /** Result of {@link OffsetLedger#track}. */
    public enum TrackResult {
        /** The record is now in flight. */
        TRACKED,
        /** The record is in flight again: it was read before and then released. */
        TRACKED_AGAIN,
        /** The record is completed or in flight already. */
        ALREADY_TRACKED,
        /** The record is too far ahead of the watermark and must be read again later, from {@link #position}. */
        FULL
    }

    private static final int INITIAL_CAPACITY = 1_024;

    private final int span;
    private long[] completed;
    private long[] inFlightBits;
    private int mask;
    private long watermark;
    private long position;
    private long frontier;
    private long completedAbove;
    private int inFlight;
    private long lowestReleased = Long.MAX_VALUE;

    /**
     * Creates a ledger that starts at the offset to be read next.
     *
     * @param span maximum distance from the watermark, in offsets; rounded up to a power of two
     */
    OffsetLedger(long start, int span) {
        this.span = Math.max(64, Integer.highestOneBit(span - 1) << 1);
        int capacity = Math.min(INITIAL_CAPACITY, this.span);
        this.completed = new long[capacity >> 6];
        this.inFlightBits = new long[capacity >> 6];
        this.mask = capacity - 1;
        this.watermark = start;
        this.position = start;
        this.frontier = start;
    }

    /**
     * Marks offsets above the watermark that an earlier owner of the partition completed. Call it before the first
     * {@link #track}.
     *
     * @param runs alternating run lengths from the watermark: not completed, completed, not completed, …
     */
    void restore(int[] runs) {
        long offset = watermark;
        for (int i = 0; i < runs.length && offset + runs[i] - watermark <= span; i++) {
            if (i % 2 == 1) {
                reserve(offset + runs[i] - 1);
                markCompleted(offset, offset + runs[i]);
            }
            offset += runs[i];
        }
    }

    /** Tracks a record that was read, and completes the gap before it. */
    TrackResult track(long offset) {
        if ((offset > position && !skipTo(offset)) || !reserve(offset)) {
            return TrackResult.FULL;
        }
        boolean again = offset < frontier;
        position = offset + 1;
        frontier = Math.max(frontier, position);
        if (offset < watermark || isSet(inFlightBits, offset)) {
            return TrackResult.ALREADY_TRACKED;
        }
        if (isSet(completed, offset)) {
            advance();
            return TrackResult.ALREADY_TRACKED;
        }
        set(inFlightBits, offset);
        inFlight++;
        return again ? TrackResult.TRACKED_AGAIN : TrackResult.TRACKED;
    }

    /**
     * Advances the position to this offset. Completes the offsets between, because they have no records.
     *
     * @return false, without any change, if that is too far ahead of the watermark
     */
    boolean skipTo(long to) {
        if (to <= position) {
            return true;
        }
        if (to - watermark > span) {
            if (watermark != frontier) {
                return false;
            }
            jump(to);
            return true;
        }
        reserve(to - 1);
        markCompleted(Math.max(position, watermark), to);
        position = to;
        frontier = Math.max(frontier, to);
        advance();
        return true;
    }

    /** Completes an offset. Has no effect if it is not in flight. */
    void complete(long offset) {
        if (isInFlight(offset)) {
            clear(inFlightBits, offset);
            inFlight--;
            set(completed, offset);
            completedAbove++;
            if (offset == watermark) {
                advance();
            }
        }
    }

    /** Releases an offset, so that it can be read again. Has no effect if it is not in flight. */
    void release(long offset) {
        if (isInFlight(offset)) {
            clear(inFlightBits, offset);
            inFlight--;
            if (offset < position) {
                lowestReleased = Math.min(lowestReleased, offset);
            }
        }
    }

    /**
     * Moves the {@link #position} back to the lowest released offset below it, if there is one.
     *
     * @return the position
     */
    long rewind() {
        position = Math.min(position, lowestReleased);
        lowestReleased = Long.MAX_VALUE;
        return position;
    }

    /** Returns the offset to commit: all offsets below are completed. Never above the {@link #position}. */
    public long watermark() {
        return watermark;
    }

    /** Returns the offset to be read next. */
    public long position() {
        return position;
    }

    /** Returns the highest position so far. */
    long frontier() {
        return frontier;
    }

    int inFlight() {
        return inFlight;
    }

    /** Returns how many offsets above the watermark are completed. */
    long completedAboveWatermark() {
        return completedAbove;
    }

    /** Returns the used part of the span, from 0 to 1. */
    double fullness() {
        return (double) (frontier - watermark) / span;
    }

    /**
     * Returns the completed offsets above the watermark as alternating run lengths: not completed, completed, …,
     * completed.
     */
    int[] completedRuns() {
        int[] runs = new int[16];
        int count = 0;
        long offset = watermark;
        long remaining = completedAbove;
        boolean value = false;
        while (remaining > 0) {
            long end = runEnd(offset, value);
            if (count == runs.length) {
                runs = Arrays.copyOf(runs, count * 2);
            }
            runs[count++] = (int) (end - offset);
            remaining -= value ? end - offset : 0;
            value = !value;
            offset = end;
        }
        return Arrays.copyOf(runs, count);
    }

    private long runEnd(long from, boolean value) {
        long offset = from;
        long end = watermark + mask + 1;
        while (offset < end) {
            long word = completed[word(offset)];
            long matching = (value ? ~word : word) >>> offset;
            if (matching != 0) {
                return Math.min(end, offset + Long.numberOfTrailingZeros(matching));
            }
            offset = (offset | 63) + 1;
        }
        return end;
    }

    private boolean isInFlight(long offset) {
        return offset >= watermark && offset < frontier && isSet(inFlightBits, offset);
    }

    private void advance() {
        while (watermark < frontier) {
            int word = word(watermark);
            int run = Long.numberOfTrailingZeros(~(completed[word] >>> watermark));
            run = (int) Math.min(Math.min(run, 64 - (watermark & 63)), frontier - watermark);
            if (run == 0) {
                return;
            }
            completed[word] &= ~bits(watermark, run);
            watermark += run;
            completedAbove -= run;
        }
    }

    private void markCompleted(long from, long to) {
        long offset = from;
        while (offset < to) {
            int length = (int) Math.min(64 - (offset & 63), to - offset);
            int word = word(offset);
            long fresh = bits(offset, length) & ~completed[word] & ~inFlightBits[word];
            completed[word] |= fresh;
            completedAbove += Long.bitCount(fresh);
            offset += length;
        }
    }

    private void jump(long to) {
        Arrays.fill(completed, 0);
        completedAbove = 0;
        watermark = to;
        position = to;
        frontier = to;
    }

    private boolean reserve(long offset) {
        if (offset - watermark <= mask) {
            return true;
        }
        if (offset - watermark >= span) {
            return false;
        }
        int capacity = mask + 1;
        long[] oldCompleted = completed;
        long[] oldInFlight = inFlightBits;
        int oldMask = mask;
        while (offset - watermark >= capacity) {
            capacity <<= 1;
        }
        completed = new long[capacity >> 6];
        inFlightBits = new long[capacity >> 6];
        mask = capacity - 1;
        for (long o = watermark; o <= watermark + oldMask; o++) {
            int old = (int) (o & oldMask) >> 6;
            completed[word(o)] |= oldCompleted[old] & 1L << o;
            inFlightBits[word(o)] |= oldInFlight[old] & 1L << o;
        }
        return true;
    }

    private int word(long offset) {
        return (int) (offset & mask) >> 6;
    }

    private static long bits(long offset, int length) {
        return (length == 64 ? -1L : (1L << length) - 1) << offset;
    }

    private boolean isSet(long[] ring, long offset) {
        return (ring[word(offset)] & 1L << offset) != 0;
    }

    private void set(long[] ring, long offset) {
        ring[word(offset)] |= 1L << offset;
    }

    private void clear(long[] ring, long offset) {
        ring[word(offset)] &= ~(1L << offset);
    }
}
