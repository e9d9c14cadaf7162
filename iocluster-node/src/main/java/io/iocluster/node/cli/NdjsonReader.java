package io.iocluster.node.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Cuts a stream into lines without touching their bytes. Confined to one thread. */
final class NdjsonReader {

    private final InputStream in;
    private long number;

    NdjsonReader(InputStream in) {
        this.in = new BufferedInputStream(in, 1 << 16);
    }

    /** The next line without its end, or null after the last. */
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

    /** The number of the line that {@link #next} gave last; the first is 1. */
    long number() {
        return number;
    }
}
