package io.iocluster.node.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Splits a stream into lines without decoding them. Confined to one thread. */
final class NdjsonReader {

    private final InputStream in;
    private long number;

    NdjsonReader(InputStream in) {
        this.in = new BufferedInputStream(in, 1 << 16);
    }

    /** Returns the next line without its line feed, or null after the last one. */
    byte[] next() throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        number++;
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        for (int next = first; next >= 0 && next != '\n'; next = in.read()) {
            line.write(next);
        }
        return line.toByteArray();
    }

    /** Returns the number of the line that {@link #next} returned last; the first is 1. */
    long number() {
        return number;
    }
}
