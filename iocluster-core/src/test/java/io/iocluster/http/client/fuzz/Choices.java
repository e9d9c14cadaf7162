package io.iocluster.http.client.fuzz;

import java.util.List;

/**
 * Turns the bytes of an input into choices, one after the other. Each choice after the last byte is 0, so that an empty input means the
 * simplest exchange and a short one is already valid. Confined to one thread.
 */
public final class Choices {

    private final byte[] input;
    private int next;

    public Choices(byte[] input) {
        this.input = input;
    }

    private int octet() {
        return next < input.length ? input[next++] & 0xff : 0;
    }

    /** Returns a number from 0 to {@code bound - 1}. */
    int below(int bound) {
        return (bound <= 256 ? octet() : octet() << 8 | octet()) % bound;
    }

    /** Returns true for one of {@code n} values of a byte; false after the end. */
    boolean oneIn(int n) {
        return octet() % n == n - 1;
    }

    byte octetValue() {
        return (byte) octet();
    }

    @SafeVarargs
    final <T> T of(T... values) {
        return values[below(values.length)];
    }

    <T> T of(List<T> values) {
        return values.get(below(values.size()));
    }

    /** Returns how many mutations to make: none for half of the values. */
    int mutations() {
        return Math.max(0, below(8) - 3);
    }
}
