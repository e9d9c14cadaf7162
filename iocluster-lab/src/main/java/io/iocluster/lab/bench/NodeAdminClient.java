package io.iocluster.lab.bench;

import io.iocluster.thread.DaemonThreadFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the admin API of a node. Thread-safe. */
final class NodeAdminClient {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int OK = 200;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final double NANOS_PER_MILLI = 1e6;

    /** A thread in a dump: its name and its CPU time in milliseconds. */
    private static final Pattern THREAD = Pattern.compile("^\"(.+)\" .*\\bcpu=([\\d.]+)ms");

    private final HttpClient client = HttpClient.newHttpClient();
    private final int port;

    public NodeAdminClient(int port) {
        this.port = port;
    }

    /** Returns the JSON at the path. The node must be running. */
    public JsonNode getJson(String path) {
        return JSON.readTree(getText(path));
    }

    /** Returns the text at the path. The node must be running. */
    public String getText(String path) {
        try {
            HttpResponse<String> response = get(path);
            if (response.statusCode() != OK) {
                throw new IllegalStateException(path + " returned status " + response.statusCode());
            }
            return response.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether the node is ready; false if its admin server does not answer. */
    public boolean isReady() {
        try {
            return get("/readyz").statusCode() == OK;
        } catch (IOException notListening) {
            return false;
        }
    }

    private HttpResponse<String> get(String path) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(TIMEOUT)
                .build();
        try {
            return client.send(request, BodyHandlers.ofString());
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
    public Duration threadCpu(String name) {
        List<Double> each = getText("/api/threads")
                .lines()
                .map(THREAD::matcher)
                .filter(thread -> thread.find() && thread.group(1).contains(name))
                .map(thread -> Double.parseDouble(thread.group(2)))
                .toList();
        if (each.isEmpty()) {
            throw new IllegalStateException("the node has no thread whose name contains " + name);
        }
        double millis = each.stream().mapToDouble(Double::doubleValue).sum();
        return Duration.ofNanos(Math.round(millis * NANOS_PER_MILLI));
    }

    /**
     * Opens the endless response at the path and waits for its first line. A thread then reads and discards the lines until the reader
     * is closed.
     */
    public LineReader openLines(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        HttpResponse<Stream<String>> response =
                client.sendAsync(request, BodyHandlers.ofLines()).join();
        Iterator<String> lines = response.body().iterator();
        if (response.statusCode() != OK || !lines.hasNext()) {
            response.body().close();
            throw new IllegalStateException(path + " returned no lines, and status " + response.statusCode());
        }
        return new LineReader(path, response.body(), lines);
    }

    /** Reads an endless response. Owned by the thread that opened it. */
    public static final class LineReader implements AutoCloseable {

        private final String path;
        private final Stream<String> response;
        private final Iterator<String> lines;
        private final Thread thread;
        private volatile boolean closing;
        private volatile boolean ended;

        private LineReader(String path, Stream<String> response, Iterator<String> lines) {
            this.path = path;
            this.response = response;
            this.lines = lines;
            this.thread = DaemonThreadFactory.newThread("line-reader", this::read);
            thread.start();
        }

        private void read() {
            try {
                while (lines.hasNext()) {
                    lines.next();
                }
            } catch (UncheckedIOException closed) {
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
            response.close();
            try {
                thread.join();
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
