package io.iocluster.lab.bench.broker;

import java.nio.charset.StandardCharsets;

/** Publishes envelopes to a queue of requests. Confined to one thread. */
public interface EnvelopeWriter extends AutoCloseable {

    /** Header of a message with the time at which the call was due. */
    String DUE = "bench-due";

    /**
     * Sends the next envelope without waiting for the broker.
     *
     * @param url the URL to call
     * @param dueNanos when the call is due, by this process's {@code nanoTime}; the answer carries it back
     */
    void send(String url, long dueNanos);

    /** Waits until the broker has confirmed everything sent. */
    void flush();

    @Override
    void close();

    /** Returns an envelope of about 250 bytes. */
    static byte[] envelope(long number, String url) {
        String padding = "0123456789abcdefghijklmnopqrstuvwxyz";
        String id = String.format("%08x-0000-4000-8000-%012x", number & 0xffff_ffffL, number);
        return ("{\"id\":\"" + id + "\",\"method\":\"GET\",\"url\":\"" + url
                        + "\",\"headers\":{\"Accept\":\"application/json\",\"X-Click\":\"" + padding
                        + "\"},\"context\":{\"campaign\":\"" + padding + "\"}}")
                .getBytes(StandardCharsets.UTF_8);
    }
}
