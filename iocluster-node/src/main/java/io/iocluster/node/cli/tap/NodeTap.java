package io.iocluster.node.cli.tap;

import io.iocluster.node.cli.admin.AdminClient;
import io.iocluster.thread.Platform;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.BlockingQueue;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads the tap of one node on its own thread. */
final class NodeTap implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Far above every line of a node; another server may send anything. */
    private static final int MAX_LINE_BYTES = 1 << 20;

    private final AdminClient node;
    private final InputStream in;
    private final BlockingQueue<TapLine> lines;

    /**
     * One line of a tap.
     *
     * @param node host and port of the node's admin server
     * @param json null at the end
     * @param problem why the tap ended, for the user; null if the node ended it in time
     */
    record TapLine(String node, ObjectNode json, String problem) {}

    private NodeTap(AdminClient node, InputStream in, BlockingQueue<TapLine> lines) {
        this.node = node;
        this.in = in;
        this.lines = lines;
    }

    /**
     * Opens the tap.
     *
     * @param path with the query
     * @param lines receives the lines; the reader waits while it is full, and the node then counts dropped calls
     * @throws IOException if the node refuses it or cannot be reached; the message is for the user
     */
    static NodeTap open(AdminClient node, String path, BlockingQueue<TapLine> lines)
            throws IOException, InterruptedException {
        NodeTap tap = new NodeTap(node, new BufferedInputStream(node.open(path), 1 << 16), lines);
        Platform.system().newThreads("iocluster-tap").execute(tap::run);
        return tap;
    }

    private void run() {
        try {
            lines.put(new TapLine(node.address(), null, read()));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads to the end. Returns null, or what went wrong. */
    private String read() throws InterruptedException {
        try {
            for (byte[] line = next(); line != null; line = next()) {
                if (!(JSON.readTree(line) instanceof ObjectNode object)) {
                    return notANode();
                }
                lines.put(new TapLine(node.address(), object, null));
            }
            return null;
        } catch (IOException broken) {
            return node.address() + " ended the tap: " + broken.getMessage();
        } catch (JacksonException other) {
            return notANode();
        }
    }

    private String notANode() {
        return node.address() + " is not the admin server of a node: it sends lines that are not JSON objects";
    }

    private byte[] next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                return null;
            }
            if (line.size() == MAX_LINE_BYTES) {
                throw new IOException("it sends too long lines");
            }
            line.write(next);
        }
        return line.toByteArray();
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException gone) {
            // The node notices the closed connection.
        }
    }
}
