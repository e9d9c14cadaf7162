package io.iocluster.kafka.ledger;

import java.util.Arrays;

/**
 * Which offsets of one partition are done, in flight or neither, for one assignment. Confined to the poll thread.
 *
 * <p>Two rings of bits reach from the {@linkplain #watermark watermark}, below which everything is done, as far as its span.
 * An offset that was admitted is in flight until it is completed or released; one that never arrives, because compaction or
 * a transaction took its place, is done as soon as reading has passed it.
 */
public final class OffsetLedger {

    /** What becomes of a record that was read. */
    public enum TrackResult {
        /** In flight from now on. */
        TRACKED,
        /** In flight from now on, and it was read before. */
        TRACKED_AGAIN,
        /** Done, or in flight already: nothing to do. */
        ALREADY_TRACKED,
        /** Too far ahead of the watermark: it has to be read again later, from {@link #position}. */
        FULL
    }

    private static final int FIRST_CAPACITY = 1_024;

    private final int span;
    private long[] done;
    private long[] flight;
    private int mask;
    private long watermark;
    private long position;
    private long frontier;
    private long doneAbove;
    private int inFlight;
    private long lowestReleased = Long.MAX_VALUE;

    /**
     * Begins at the offset that is read next.
     *
     * @param span how far to run ahead of the watermark, rounded up to a power of two
     */
    OffsetLedger(long start, int span) {
        this.span = Math.max(64, Integer.highestOneBit(span - 1) << 1);
        int capacity = Math.min(FIRST_CAPACITY, this.span);
        this.done = new long[capacity >> 6];
        this.flight = new long[capacity >> 6];
        this.mask = capacity - 1;
        this.watermark = start;
        this.position = start;
        this.frontier = start;
    }

    /**
     * Marks what an earlier owner of the partition had done above the watermark. Before the first admission only.
     *
     * @param runs lengths of runs in turn, from the watermark: not done, done, not done, …
     */
    void restore(int[] runs) {
        long offset = watermark;
        for (int i = 0; i < runs.length && offset + runs[i] - watermark <= span; i++) {
            if (i % 2 == 1) {
                reserve(offset + runs[i] - 1);
                markDone(offset, offset + runs[i]);
            }
            offset += runs[i];
        }
    }

    /** Takes note of a record that was read, and of the gap before it. */
    TrackResult track(long offset) {
        if ((offset > position && !skipTo(offset)) || !reserve(offset)) {
            return TrackResult.FULL;
        }
        boolean again = offset < frontier;
        position = offset + 1;
        frontier = Math.max(frontier, position);
        if (offset < watermark || isSet(flight, offset)) {
            return TrackResult.ALREADY_TRACKED;
        }
        if (isSet(done, offset)) {
            advance();
            return TrackResult.ALREADY_TRACKED;
        }
        set(flight, offset);
        inFlight++;
        return again ? TrackResult.TRACKED_AGAIN : TrackResult.TRACKED;
    }

    /**
     * Takes note that reading has gone on to this offset: what lies between and did not arrive never will.
     *
     * @return false if that is too far ahead of the watermark; nothing is changed then
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
        markDone(Math.max(position, watermark), to);
        position = to;
        frontier = Math.max(frontier, to);
        advance();
        return true;
    }

    /** The answer is confirmed. Without effect on an offset that is not in flight. */
    void complete(long offset) {
        if (isInFlight(offset)) {
            clear(flight, offset);
            inFlight--;
            set(done, offset);
            doneAbove++;
            if (offset == watermark) {
                advance();
            }
        }
    }

    /** Makes an offset readable again. Without effect on one that is not in flight. */
    void release(long offset) {
        if (isInFlight(offset)) {
            clear(flight, offset);
            inFlight--;
            if (offset < position) {
                lowestReleased = Math.min(lowestReleased, offset);
            }
        }
    }

    /**
     * Goes back to the lowest offset that was released, which becomes the {@link #position}; stays where nothing was
     * released that reading has already passed.
     */
    long rewind() {
        position = Math.min(position, lowestReleased);
        lowestReleased = Long.MAX_VALUE;
        return position;
    }

    /** The offset to commit: everything below is done. Never above the {@link #position}. */
    long watermark() {
        return watermark;
    }

    /** The offset to be read next. */
    public long position() {
        return position;
    }

    /** One above the highest offset that was read or filled. */
    long frontier() {
        return frontier;
    }

    int inFlight() {
        return inFlight;
    }

    /** How many offsets at or above the watermark are done. */
    long completedAboveWatermark() {
        return doneAbove;
    }

    /** How much of the span is taken, from 0 to 1. */
    double fullness() {
        return (double) (frontier - watermark) / span;
    }

    /** What is done above the watermark, as lengths of runs in turn: not done, done, not done, …, done. */
    int[] completedRuns() {
        int[] runs = new int[16];
        int count = 0;
        long offset = watermark;
        long left = doneAbove;
        boolean value = false;
        while (left > 0) {
            long end = runEnd(offset, value);
            if (count == runs.length) {
                runs = Arrays.copyOf(runs, count * 2);
            }
            runs[count++] = (int) (end - offset);
            left -= value ? end - offset : 0;
            value = !value;
            offset = end;
        }
        return Arrays.copyOf(runs, count);
    }

    private long runEnd(long from, boolean value) {
        long offset = from;
        long end = watermark + mask + 1;
        while (offset < end) {
            long word = done[word(offset)];
            long rest = (value ? ~word : word) >>> offset;
            if (rest != 0) {
                return Math.min(end, offset + Long.numberOfTrailingZeros(rest));
            }
            offset = (offset | 63) + 1;
        }
        return end;
    }

    private boolean isInFlight(long offset) {
        return offset >= watermark && offset < frontier && isSet(flight, offset);
    }

    private void advance() {
        while (watermark < frontier) {
            int word = word(watermark);
            int run = Long.numberOfTrailingZeros(~(done[word] >>> watermark));
            run = (int) Math.min(Math.min(run, 64 - (watermark & 63)), frontier - watermark);
            if (run == 0) {
                return;
            }
            done[word] &= ~bits(watermark, run);
            watermark += run;
            doneAbove -= run;
        }
    }

    private void markDone(long from, long to) {
        long offset = from;
        while (offset < to) {
            int length = (int) Math.min(64 - (offset & 63), to - offset);
            int word = word(offset);
            long fresh = bits(offset, length) & ~done[word] & ~flight[word];
            done[word] |= fresh;
            doneAbove += Long.bitCount(fresh);
            offset += length;
        }
    }

    private void jump(long to) {
        Arrays.fill(done, 0);
        doneAbove = 0;
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
        long[] oldDone = done;
        long[] oldFlight = flight;
        int oldMask = mask;
        while (offset - watermark >= capacity) {
            capacity <<= 1;
        }
        done = new long[capacity >> 6];
        flight = new long[capacity >> 6];
        mask = capacity - 1;
        for (long o = watermark; o <= watermark + oldMask; o++) {
            int old = (int) (o & oldMask) >> 6;
            done[word(o)] |= oldDone[old] & 1L << o;
            flight[word(o)] |= oldFlight[old] & 1L << o;
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
