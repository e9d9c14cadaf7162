package io.iocluster.simulation;

/** The seeds from one to another, both included: {@code 17} or {@code 1..1000}. */
public record SeedRange(long from, long to) {

    public SeedRange {
        if (from > to) {
            throw new IllegalArgumentException("seeds " + from + ".." + to + ": the first is larger than the last");
        }
    }

    /**
     * Parses a range.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static SeedRange parse(String text) {
        String[] ends = text.split("\\.\\.", -1);
        if (ends.length > 2) {
            throw new IllegalArgumentException("seeds must be a number or a range like 1..1000: " + text);
        }
        return new SeedRange(Long.parseLong(ends[0]), Long.parseLong(ends[ends.length - 1]));
    }

    /** Returns whether it is a single seed. */
    public boolean isSingle() {
        return from == to;
    }
}
