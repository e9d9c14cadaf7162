package io.iocluster.http.client.fuzz;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Up to three calls over one HTTP/2 connection, and frames that begin as valid responses. */
public final class Http2Exchange extends Exchange {

    private static final String PATHS = "/scripted-";

    private static final List<byte[]> FRAGMENTS = Stream.of(
                    new Frame(Frame.SETTINGS, 0, 0, new byte[0]).bytes(),
                    new Frame(Frame.SETTINGS, Frame.ACK, 0, new byte[0]).bytes(),
                    new Frame(Frame.PING, 0, 0, new byte[8]).bytes(),
                    new Frame(Frame.GOAWAY, 0, 0, new byte[8]).bytes(),
                    new Frame(Frame.DATA, Frame.END_STREAM, 3, new byte[0]).bytes(),
                    new Frame(Frame.HEADERS, Frame.END_HEADERS | Frame.END_STREAM, 3, new byte[] {(byte) 0x88}).bytes(),
                    new Frame(Frame.CONTINUATION, Frame.END_HEADERS, 3, new byte[] {(byte) 0x88}).bytes(),
                    new Frame(Frame.PUSH_PROMISE, Frame.END_HEADERS, 3, new byte[] {0, 0, 0, 2, (byte) 0x82}).bytes(),
                    new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff},
                    new byte[] {0x3f, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f},
                    new byte[] {0x20},
                    new byte[] {(byte) 0xbe},
                    new byte[] {(byte) 0x80},
                    Bytes.of("HTTP/1.1 400 Bad Request\r\n\r\n"))
            .toList();

    final byte[] settings;
    private final Choices choices;
    private final List<Call> calls = new ArrayList<>();
    private final boolean plainSettings;
    private final boolean afterHeaders;
    private Http2Reference reference;
    private Map<String, Integer> streams = Map.of();
    private byte[] script = {};
    private int partCount;

    public Http2Exchange(Choices choices) {
        super(choices, true);
        this.choices = choices;
        int count = choices.of(1, 2, 1, 3);
        for (int i = 0; i < count; i++) {
            String method = choices.of("GET", "POST", "HEAD");
            byte[] body = method.equals("POST") ? requestBody(choices.of(5, 0, 2_000, 5, 5, 100_000)) : null;
            calls.add(new Call(method, PATHS + i, body));
        }
        afterHeaders = choices.oneIn(4);
        plainSettings = !choices.oneIn(8) || warmUp;
        byte[] valid = new Frame(Frame.SETTINGS, 0, 0, plainSettings ? new byte[0] : settings(choices)).bytes();
        settings = plainSettings ? valid : Bytes.mutate(valid, choices, FRAGMENTS);
    }

    private static byte[] settings(Choices choices) {
        byte[] payload = {};
        for (int left = choices.below(4); left > 0; left--) {
            int id = choices.of(3, 4, 1, 2, 5, 6, 8, 99);
            int value = choices.of(100, 0, 1, 4_096, 65_535, 16_384, Integer.MAX_VALUE, -1);
            payload = Bytes.join(payload, new byte[] {0, (byte) id}, Frame.numbers(value));
        }
        return payload;
    }

    /** Returns whether the script begins when the headers have arrived, not the whole requests. */
    boolean startsAfterHeaders() {
        return afterHeaders;
    }

    boolean isScripted(String path) {
        return path.startsWith(PATHS);
    }

    int count() {
        return calls.size();
    }

    /**
     * Makes the script.
     *
     * @param known streams of the requests that have arrived, by path
     * @param lastStream the last stream of the client
     */
    List<byte[]> script(Map<String, Integer> known, int lastStream) {
        streams = new LinkedHashMap<>();
        int next = lastStream;
        for (Call call : calls) {
            Integer stream = known.get(call.path());
            if (stream == null) {
                next += 2;
            }
            streams.put(call.path(), stream == null ? next : stream);
        }
        List<Frame> frames = mutate(interleave());
        script = Bytes.mutate(Bytes.join(frames.stream().map(Frame::bytes).toList()), choices, FRAGMENTS);
        List<byte[]> parts = Bytes.split(script, choices);
        partCount = parts.size();
        reference = new Http2Reference(script);
        calls.stream()
                .filter(call -> known.containsKey(call.path()))
                .forEach(call -> reference.addStream(known.get(call.path()), call.method()));
        reference.read();
        return parts;
    }

    private List<Frame> interleave() {
        List<List<Frame>> responses = new ArrayList<>();
        for (Call call : calls) {
            responses.add(response(streams.get(call.path()), call.method()));
        }
        List<Frame> frames = new ArrayList<>();
        while (responses.stream().anyMatch(left -> !left.isEmpty())) {
            List<Frame> from = choices.of(responses);
            if (from.isEmpty()) {
                from = responses.stream()
                        .filter(left -> !left.isEmpty())
                        .findFirst()
                        .orElseThrow();
            }
            do {
                frames.add(from.remove(0));
                // Nothing may stand between the parts of one header block.
            } while (!from.isEmpty() && from.get(0).type() == Frame.CONTINUATION);
            if (choices.oneIn(6)) {
                frames.add(other(frames.get(frames.size() - 1).stream()));
            }
        }
        return frames;
    }

    private List<Frame> response(int stream, String method) {
        List<Frame> frames = new ArrayList<>();
        for (int left = choices.of(0, 0, 0, 0, 1, 2, 0, 17); left > 0; left--) {
            ByteArrayOutputStream interim = new ByteArrayOutputStream();
            status(interim, choices.of(103, 100, 102));
            frames.add(new Frame(Frame.HEADERS, Frame.END_HEADERS, stream, interim.toByteArray()));
        }
        int status = choices.of(200, 200, 200, 204, 304, 404, 500, 421, 206, 201, 408, 401);
        byte[] body = new byte[choices.of(5, 0, 300, 5, 40_000, 3_000)];
        Arrays.fill(body, (byte) ('0' + stream % 10));
        String coding = choices.of("", "", "", "", "gzip", "deflate");
        byte[] encoded = coding.isEmpty() ? body : Bytes.encode(coding, body);
        boolean bodiless = method.equals("HEAD") || status == 204 || status == 304;
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        if (choices.oneIn(8)) {
            Hpack.number(block, 0x20, 5, choices.of(4_096, 0, 100, 5_000, 65_536));
        }
        status(block, status);
        if (!coding.isEmpty()) {
            Hpack.literal(block, choices.oneIn(2), "content-encoding", coding);
        }
        if (choices.oneIn(2) && (!bodiless || status == 200)) {
            Hpack.literal(block, false, "content-length", "" + encoded.length);
        }
        for (int left = choices.below(3); left > 0; left--) {
            Hpack.literal(
                    block,
                    choices.oneIn(2),
                    choices.of("x-a", "set-cookie", "alt-svc", "x-long", "connection", "te", "X-Upper", ":path", "x y"),
                    choices.of("b", "", "c=d", "x".repeat(300), "close", "\n"));
        }
        boolean trailers = choices.oneIn(8);
        boolean hasData = !bodiless && encoded.length > 0;
        addBlock(frames, block.toByteArray(), stream, hasData || trailers ? 0 : Frame.END_STREAM);
        if (hasData) {
            addData(frames, stream, encoded, !trailers);
        }
        if (trailers) {
            ByteArrayOutputStream last = new ByteArrayOutputStream();
            Hpack.literal(last, false, "x-checksum", "1");
            addBlock(frames, last.toByteArray(), stream, Frame.END_STREAM);
        }
        return frames;
    }

    private static void status(ByteArrayOutputStream block, int status) {
        int index = Hpack.statusIndex(status);
        if (index > 0) {
            block.write(0x80 | index);
        } else {
            block.write(Hpack.STATUS_INDEX);
            Hpack.text(block, "" + status);
        }
    }

    private void addBlock(List<Frame> frames, byte[] block, int stream, int flags) {
        int cut = choices.oneIn(6) ? choices.below(block.length + 1) : block.length;
        boolean whole = cut == block.length;
        frames.add(
                new Frame(Frame.HEADERS, flags | (whole ? Frame.END_HEADERS : 0), stream, Arrays.copyOf(block, cut)));
        if (!whole) {
            frames.add(new Frame(
                    Frame.CONTINUATION, Frame.END_HEADERS, stream, Arrays.copyOfRange(block, cut, block.length)));
        }
    }

    private void addData(List<Frame> frames, int stream, byte[] body, boolean last) {
        int start = 0;
        while (start < body.length) {
            int most = Math.min(16_384, body.length - start);
            int length = choices.oneIn(3) ? 1 + choices.below(most) : most;
            boolean end = last && start + length == body.length;
            byte[] payload = Arrays.copyOfRange(body, start, start + length);
            boolean padded = length < 16_000 && choices.oneIn(8);
            frames.add(new Frame(
                    Frame.DATA,
                    (end ? Frame.END_STREAM : 0) | (padded ? Frame.PADDED : 0),
                    stream,
                    padded ? Bytes.join(new byte[] {3}, payload, new byte[3]) : payload));
            start += length;
        }
    }

    /** Returns a frame beside the responses. */
    private Frame other(int stream) {
        return switch (choices.below(12)) {
            case 0 -> new Frame(Frame.PING, choices.of(0, 0, 1), 0, new byte[8]);
            case 1 -> new Frame(Frame.SETTINGS, 0, 0, settings(choices));
            case 2 ->
                new Frame(Frame.WINDOW_UPDATE, 0, choices.of(0, stream), Frame.numbers(choices.of(1, 65_535, 0, -1)));
            case 3 ->
                new Frame(
                        Frame.RST_STREAM, 0, stream, Frame.numbers(choices.of(Frame.REFUSED_STREAM, 0, 1, 8, 11, 13)));
            case 4 ->
                new Frame(
                        Frame.GOAWAY,
                        0,
                        0,
                        Bytes.join(
                                Frame.numbers(
                                        choices.of(stream, 0, stream - 2, stream + 2, Integer.MAX_VALUE),
                                        choices.of(0, 0, 1, 11)),
                                Bytes.of(choices.of("", "bye"))));
            case 5 ->
                new Frame(Frame.PRIORITY, 0, stream, Bytes.join(Frame.numbers(choices.of(0, stream, 1)), new byte[1]));
            case 6 ->
                new Frame(choices.of(0x77, 0xff, 11), choices.octetValue() & 0xff, choices.of(stream, 0), new byte[3]);
            case 7 -> new Frame(Frame.ALTSVC, 0, choices.of(0, stream), Bytes.of("\0\0h2=\":1\""));
            case 8 -> new Frame(Frame.PUSH_PROMISE, Frame.END_HEADERS, stream, new byte[] {0, 0, 0, 2, (byte) 0x82});
            case 9 -> new Frame(Frame.DATA, choices.of(0, 1), stream, new byte[choices.of(0, 1, 5)]);
            case 10 -> new Frame(Frame.CONTINUATION, choices.of(0, Frame.END_HEADERS), stream, new byte[0]);
            default -> new Frame(Frame.HEADERS, choices.of(4, 5, 0, 1), stream, new byte[] {(byte) 0x88});
        };
    }

    private List<Frame> mutate(List<Frame> valid) {
        List<Frame> frames = new ArrayList<>(valid);
        for (int left = choices.mutations(); left > 0 && !frames.isEmpty(); left--) {
            int at = choices.below(frames.size());
            Frame frame = frames.get(at);
            switch (choices.below(8)) {
                case 0 -> frames.remove(at);
                case 1 -> frames.add(at, frame);
                case 2 -> frames.add(choices.below(frames.size()), frames.remove(at));
                case 3 -> frames.set(at, frame.withFlags(frame.flags() ^ 1 << choices.below(8)));
                case 4 -> {
                    int[] targets = IntStream.concat(
                                    streams.values().stream().mapToInt(stream -> stream),
                                    IntStream.of(0, frame.stream() + 2, frame.stream() + 1, 1, Integer.MAX_VALUE, -1))
                            .toArray();
                    int stream = targets[choices.below(targets.length)];
                    frames.set(at, new Frame(frame.type(), frame.flags(), stream, frame.payload()));
                }
                case 5 -> frames.set(at, new Frame(choices.below(12), frame.flags(), frame.stream(), frame.payload()));
                case 6 -> {
                    byte[] payload = Bytes.mutate(frame.payload(), choices, FRAGMENTS);
                    frames.set(at, new Frame(frame.type(), frame.flags(), frame.stream(), payload));
                }
                default -> frames.add(at, other(frame.stream()));
            }
        }
        return frames;
    }

    @Override
    public List<Call> calls() {
        return calls;
    }

    @Override
    public Verdict verdict(int index) {
        if (!plainSettings) {
            // They may contain any other frame, such as GOAWAY.
            return Verdict.unclear().withMayBeUnprocessed(true);
        }
        Integer stream = streams.get(calls.get(index).path());
        if (reference == null || stream == null) {
            return Verdict.unclear();
        }
        return reference.verdict(stream).unclearIf(hangs() || end == End.RESET);
    }

    @Override
    public boolean hangs() {
        return super.hangs() || !plainSettings;
    }

    @Override
    public boolean hasReceived(FuzzServer server, Call call) {
        return server.requests(call.path()) > 0;
    }

    @Override
    boolean isReusable() {
        return plainSettings && reference != null && reference.isConnectionValid();
    }

    /** Returns the stream after which the client must not open another one. */
    int lastAllowedStream() {
        return reference == null ? Integer.MAX_VALUE : reference.goAway();
    }

    @Override
    ServerConnection newConnection(FuzzServer server) {
        return new Http2Connection(server, this);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(warmUp ? "pooled " : "");
        calls.forEach(call ->
                text.append(call.method()).append(' ').append(call.path()).append(", "));
        text.append(streams)
                .append(", ")
                .append(partCount)
                .append(" parts, ")
                .append(afterHeaders ? "after the headers" : "")
                .append(" then ")
                .append(end)
                .append(nextIsPost ? ", next POST" : ", next GET");
        if (!plainSettings) {
            text.append(", first ").append(HexFormat.of().formatHex(settings));
        }
        Frame.Reader reader = new Frame.Reader(script);
        for (Frame frame = reader.poll(); frame != null; frame = reader.poll()) {
            byte[] shown = Arrays.copyOf(frame.payload(), Math.min(60, frame.payload().length));
            text.append("\n  type ")
                    .append(frame.type())
                    .append(" flags ")
                    .append(frame.flags())
                    .append(" stream ")
                    .append(frame.stream())
                    .append(" length ")
                    .append(frame.payload().length)
                    .append(' ')
                    .append(HexFormat.of().formatHex(shown));
        }
        return text.append("\n  and ")
                .append(reader.remaining())
                .append(" bytes")
                .toString();
    }
}
