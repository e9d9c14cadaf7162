package io.iocluster.lab.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.iocluster.node.cli.admin.AdminClient;
import io.iocluster.thread.DaemonThreadFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the admin API of a node. Thread-safe. */
final class NodeAdmin {

    private static final double NANOS_PER_MILLI = 1e6;

    /** A thread in a dump: its name and its CPU time in milliseconds. */
    private static final Pattern THREAD = Pattern.compile("(?m)^\"(.+)\" .*\\bcpu=([\\d.]+)ms");

    private final AdminClient client;

    NodeAdmin(int port) {
        this.client = AdminClient.of(URI.create("http://127.0.0.1:" + port), "");
    }

    /** Returns the text at the path. The node must be running. */
    String getText(String path) {
        try (InputStream body = open(path)) {
            return new String(body.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether the node is ready; false if its admin server does not answer. */
    boolean isReady() {
        try {
            open("/readyz").close();
            return true;
        } catch (IOException notReady) {
            return false;
        }
    }

    private InputStream open(String path) throws IOException {
        try {
            return client.open(path);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /**
     * Returns the CPU time so far of all live threads whose name contains the text, from the node's thread dump. The threads of the
     * JVM itself are included.
     *
     * @throws IllegalStateException if there is no such thread: a limit of its CPU time would always be met
     */
    Duration threadCpu(String name) {
        Matcher thread = THREAD.matcher(getText("/api/threads"));
        List<Double> millis = thread.results()
                .filter(each -> each.group(1).contains(name))
                .map(each -> Double.parseDouble(each.group(2)))
                .toList();
        if (millis.isEmpty()) {
            throw new IllegalStateException("the node has no thread whose name contains " + name);
        }
        double sum = millis.stream().mapToDouble(Double::doubleValue).sum();
        return Duration.ofNanos(Math.round(sum * NANOS_PER_MILLI));
    }

    /**
     * Opens the endless response at the path and waits for its first byte. A thread then reads and discards the others until the reader
     * is closed.
     */
    EndlessReader openEndless(String path) {
        try {
            InputStream response = open(path);
            if (response.read() < 0) {
                throw new IllegalStateException(path + " returned nothing");
            }
            return new EndlessReader(path, response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads an endless response. Owned by the thread that opened it. */
    static final class EndlessReader implements AutoCloseable {

        private final String path;
        private final InputStream response;
        private final Thread thread;
        private volatile boolean closing;
        private volatile boolean ended;

        private EndlessReader(String path, InputStream response) {
            this.path = path;
            this.response = response;
            this.thread = DaemonThreadFactory.newThread("endless-reader", this::read);
            thread.start();
        }

        private void read() {
            byte[] discarded = new byte[8_192];
            try {
                while (response.read(discarded) >= 0) {
                    // The cost of reading is what the benchmark measures.
                }
            } catch (IOException closed) {
                // The close of the response ends the read, and so does the node.
            }
            ended = !closing;
        }

        /** Returns whether the node has ended the response. */
        boolean hasEnded() {
            return ended;
        }

        /**
         * Stops reading.
         *
         * @throws IllegalStateException if the node has ended the response before
         */
        @Override
        public void close() {
            closing = true;
            try {
                response.close();
                thread.join();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
            if (ended) {
                throw new IllegalStateException("the node has ended its response to " + path);
            }
        }
    }
}
