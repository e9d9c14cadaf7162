package io.iocluster.door.route;

import java.io.ByteArrayOutputStream;
import java.util.Collection;

/** Splits a stream of bytes into lines. A line may end with CR LF; empty lines are skipped. Confined to one thread. */
final class LineBuffer {

    private final long maxLine;
    private final ByteArrayOutputStream partial = new ByteArrayOutputStream();

    /** A line was too long. The stream cannot continue. */
    static final class LineTooLongException extends Exception {
        private static final long serialVersionUID = 1;
    }

    /**
     * Creates an empty buffer.
     *
     * @param maxLine maximum number of bytes of a line
     */
    LineBuffer(long maxLine) {
        this.maxLine = maxLine;
    }

    /**
     * Adds bytes.
     *
     * @param lines gets the lines that are complete now, also those before a line that is too long
     */
    void add(byte[] bytes, Collection<byte[]> lines) throws LineTooLongException {
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                append(bytes, start, i);
                takeInto(lines);
                start = i + 1;
            }
        }
        append(bytes, start, bytes.length);
    }

    /**
     * Ends the stream.
     *
     * @param lines gets the last line if the stream does not end with a line end
     */
    void end(Collection<byte[]> lines) {
        takeInto(lines);
    }

    /** Returns the number of bytes of the line that is not complete. */
    int partialBytes() {
        return partial.size();
    }

    private void append(byte[] bytes, int start, int end) throws LineTooLongException {
        if (partial.size() + (long) (end - start) > maxLine) {
            throw new LineTooLongException();
        }
        partial.write(bytes, start, end - start);
    }

    private void takeInto(Collection<byte[]> lines) {
        byte[] line = partial.toByteArray();
        partial.reset();
        for (byte each : line) {
            if (each != ' ' && each != '\t' && each != '\r') {
                lines.add(line);
                return;
            }
        }
    }
}
