package io.iocluster.http.client.fuzz;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the frames of a server by the letter of RFC 9113. After the first frame that is not beyond doubt, no response is complete any more;
 * a response is incomplete if no whole frame ends its stream.
 */
final class Http2Reference {

    private static final int MAX_FRAME = 16_384;
    /** Less than the smallest window that a client begins with. */
    private static final int MAX_DATA = 60_000;

    private static final int MAX_INTERIM = 10;
    private static final Set<String> CONNECTION_HEADERS =
            Set.of("connection", "te", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade");

    private final byte[] script;
    private final Map<Integer, Stream> streams = new HashMap<>();
    private final Set<Integer> ended = new HashSet<>();
    private final Set<Integer> refused = new HashSet<>();
    private final Hpack hpack = new Hpack();
    private int goAway = Integer.MAX_VALUE;
    private int previousGoAway = Integer.MAX_VALUE;
    private int dataBytes;
    private Frame block;
    private List<byte[]> blockParts = new ArrayList<>();
    private boolean beyondDoubt = true;
    private boolean usable = true;

    Http2Reference(byte[] script) {
        this.script = script;
    }

    private static final class Stream {
        private final String method;
        private final List<byte[]> body = new ArrayList<>();
        private int status;
        private int interim;
        private String coding;
        private int length = -1;
        private boolean complete;
        private boolean reset;
        private boolean malformed;
        /** Whether the final headers came before anything that says that the request is not processed. */
        private boolean hasBegun;

        private Stream(String method) {
            this.method = method;
        }

        private boolean isOpen() {
            return !complete && !reset && !malformed;
        }
    }

    /** Adds a stream whose request has arrived. */
    void addStream(int id, String method) {
        streams.put(id, new Stream(method));
    }

    void read() {
        Frame.Reader reader = new Frame.Reader(script);
        for (Frame frame = reader.poll(); frame != null; frame = reader.poll()) {
            note(frame);
            if (beyondDoubt && !accept(frame)) {
                beyondDoubt = false;
            }
        }
        usable &= beyondDoubt && reader.remaining() == 0 && block == null;
    }

    /** Remembers what a frame can mean at most. */
    private void note(Frame frame) {
        int length = frame.payload().length;
        if ((frame.type() == Frame.DATA || frame.type() == Frame.HEADERS) && frame.has(Frame.END_STREAM)) {
            ended.add(frame.stream());
        }
        if (frame.type() == Frame.GOAWAY && length >= 8) {
            previousGoAway = goAway;
            goAway = Math.min(goAway, frame.number(0));
        }
        boolean refuses = frame.type() == Frame.RST_STREAM
                && length == 4
                && (frame.number(0) == Frame.REFUSED_STREAM || frame.number(0) == Frame.HTTP_1_1_REQUIRED);
        if (refuses) {
            refused.add(frame.stream());
        }
    }

    /** Returns whether the frame is allowed and every client must understand it. */
    private boolean accept(Frame frame) {
        int length = frame.payload().length;
        if (length > MAX_FRAME || (block != null) != (frame.type() == Frame.CONTINUATION)) {
            return false;
        }
        Stream stream = streams.get(frame.stream());
        return switch (frame.type()) {
            case Frame.DATA -> stream != null && data(stream, frame);
            case Frame.HEADERS, Frame.CONTINUATION -> stream != null && headers(stream, frame);
            case Frame.PRIORITY -> stream != null && length == 5 && frame.number(0) != frame.stream();
            case Frame.RST_STREAM -> {
                if (stream == null || length != 4) {
                    yield false;
                }
                stream.reset |= !stream.complete;
                yield true;
            }
            case Frame.SETTINGS -> frame.stream() == 0 && !frame.has(Frame.ACK) && settings(frame);
            case Frame.PING -> frame.stream() == 0 && length == 8 && !frame.has(Frame.ACK);
            // The last stream must not grow (RFC 9113, section 6.8).
            case Frame.GOAWAY -> frame.stream() == 0 && length >= 8 && frame.number(0) <= previousGoAway;
            case Frame.WINDOW_UPDATE ->
                (frame.stream() == 0 || stream != null)
                        && length == 4
                        && frame.number(0) > 0
                        && frame.number(0) < 100_000;
            case Frame.PUSH_PROMISE -> false;
            default -> true;
        };
    }

    private boolean settings(Frame frame) {
        ByteBuffer payload = ByteBuffer.wrap(frame.payload());
        if (payload.remaining() % 6 != 0) {
            return false;
        }
        while (payload.hasRemaining()) {
            int id = payload.getShort();
            int value = payload.getInt();
            boolean allowed = value >= 0
                    && switch (id) {
                        case 2 -> value == 0;
                        case 3 -> true;
                        case 4 -> true;
                        case 5 -> value >= MAX_FRAME && value < 1 << 24;
                        case 8 -> value <= 1;
                        default -> true;
                    };
            if (!allowed) {
                return false;
            }
            usable &= !(id == 3 && value < 1) && !(id == 4 && value < 10_000) && id != 6 && id != 8;
        }
        return true;
    }

    private boolean data(Stream stream, Frame frame) {
        byte[] content = content(frame);
        dataBytes += frame.payload().length;
        if (content == null || dataBytes > MAX_DATA || !stream.isOpen() || stream.status == 0) {
            return false;
        }
        stream.body.add(content);
        if (frame.has(Frame.END_STREAM)) {
            end(stream);
        }
        return true;
    }

    /** Returns the payload without padding and priority; null if they are not valid. */
    private static byte[] content(Frame frame) {
        byte[] payload = frame.payload();
        int start = 0;
        int padding = 0;
        if (frame.has(Frame.PADDED) && frame.type() != Frame.CONTINUATION) {
            if (payload.length == 0) {
                return null;
            }
            padding = payload[0] & 0xff;
            start = 1;
        }
        if (frame.type() == Frame.HEADERS && frame.has(Frame.HAS_PRIORITY)) {
            return null;
        }
        return start + padding > payload.length ? null : Arrays.copyOfRange(payload, start, payload.length - padding);
    }

    private boolean headers(Stream stream, Frame frame) {
        byte[] content = content(frame);
        if (content == null || (block != null && block.stream() != frame.stream())) {
            return false;
        }
        if (block == null) {
            block = frame;
            blockParts = new ArrayList<>();
        }
        blockParts.add(content);
        if (!frame.has(Frame.END_HEADERS)) {
            return true;
        }
        boolean last = block.has(Frame.END_STREAM);
        block = null;
        List<String[]> fields = hpack.decode(Bytes.join(blockParts));
        return fields != null && stream.isOpen() && message(frame.stream(), stream, fields, last);
    }

    private boolean message(int id, Stream stream, List<String[]> fields, boolean last) {
        boolean trailers = stream.status != 0;
        int bytes = 0;
        int status = 0;
        for (String[] field : fields) {
            String name = field[0];
            String value = field[1];
            bytes += 32 + name.length() + value.length();
            if (name.equals(":status") && !trailers && status == 0 && field == fields.get(0)) {
                if (!value.matches("[1-5][0-9]{2}")) {
                    return false;
                }
                status = Integer.parseInt(value);
            } else if (!name.matches("[a-z0-9-]+")
                    || !value.matches("([\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?)?")
                    || CONNECTION_HEADERS.contains(name)) {
                return false;
            } else if (name.equals("content-length")) {
                if (trailers || stream.length >= 0 || !value.matches("[0-9]{1,6}")) {
                    return false;
                }
                stream.length = Integer.parseInt(value);
            } else if (name.equals("content-encoding")) {
                if (trailers || stream.coding != null) {
                    return false;
                }
                stream.coding = value;
            }
        }
        if (bytes > 4_096 || (trailers && !last)) {
            return false;
        }
        if (!trailers) {
            if (status < 200) {
                return status >= 100
                        && status != 101
                        && !last
                        && ++stream.interim <= MAX_INTERIM
                        && stream.length < 0
                        && stream.coding == null;
            }
            stream.status = status;
            stream.hasBegun = !refused.contains(id) && goAway >= id;
        }
        if (last) {
            end(stream);
        }
        return true;
    }

    private static void end(Stream stream) {
        int received = stream.body.stream().mapToInt(part -> part.length).sum();
        boolean bodiless = stream.method.equals("HEAD") || stream.status == 204 || stream.status == 304;
        stream.malformed = bodiless ? received > 0 : stream.length >= 0 && stream.length != received;
        stream.complete = true;
    }

    Verdict verdict(int id) {
        Stream stream = streams.get(id);
        // A server that has begun to answer has processed the request, whatever it says later.
        boolean unprocessed = (goAway < id || refused.contains(id)) && (stream == null || !stream.hasBegun);
        return kind(id, stream).withMayBeUnprocessed(unprocessed);
    }

    private Verdict kind(int id, Stream stream) {
        if (!ended.contains(id)) {
            return Verdict.incomplete();
        }
        if (stream == null) {
            return Verdict.unclear();
        }
        if (stream.malformed
                && stream.length >= 0
                && !stream.method.equals("HEAD")
                && stream.status != 204
                && stream.status != 304) {
            return Verdict.incomplete();
        }
        if (stream.reset) {
            return Verdict.incomplete();
        }
        if (!stream.complete || stream.malformed || goAway < id || refused.contains(id)) {
            return Verdict.unclear();
        }
        byte[] body = Bytes.join(stream.body);
        if (stream.coding != null && body.length > 0 && stream.status != 206) {
            boolean known = stream.coding.equals("gzip") || stream.coding.equals("deflate");
            body = known ? Bytes.decode(stream.coding, body) : null;
        }
        return body == null ? Verdict.unclear() : Verdict.complete(stream.status, body);
    }

    /** Returns whether a client can use the connection for further streams. */
    boolean isConnectionValid() {
        return usable;
    }

    /** Returns the last stream of the GOAWAY frames. */
    int goAway() {
        return goAway;
    }
}
