package io.iocluster.http.client.server;

import io.iocluster.testkit.target.ScriptedServer.ScriptedConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The target's side of an HTTP/2 connection, frame by frame. It acknowledges SETTINGS and PING and gives the flow-control window back;
 * the test sends everything else, also what RFC 9113 forbids. One thread reads; any thread may send.
 */
public final class ScriptedHttp2Connection {

    /** SETTINGS_HEADER_TABLE_SIZE. */
    public static final int HEADER_TABLE_SIZE = 1;
    /** SETTINGS_MAX_CONCURRENT_STREAMS. */
    public static final int MAX_CONCURRENT_STREAMS = 3;
    /** SETTINGS_INITIAL_WINDOW_SIZE. */
    public static final int INITIAL_WINDOW_SIZE = 4;
    /** SETTINGS_MAX_FRAME_SIZE. */
    public static final int MAX_FRAME_SIZE = 5;
    /** The last stream of a GOAWAY that announces the end of the connection and refuses no stream. */
    public static final int ANY_STREAM = Integer.MAX_VALUE;

    private static final int PREFACE_BYTES = 24;
    private static final int FRAME_HEAD_BYTES = 9;

    private final ScriptedConnection connection;
    private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false);
    private final Map<Integer, Stream> streams = new ConcurrentHashMap<>();
    private final Queue<Map<Integer, Integer>> unacknowledged = new ConcurrentLinkedQueue<>();
    private volatile int lastStream = ANY_STREAM;

    /** Receives the events of the client's streams on the reading thread. */
    public interface Listener {

        /** Called when the head of a request has arrived. */
        default void onHead(Stream stream) throws IOException, InterruptedException {}

        /** Called when a part of a request's body has arrived. */
        default void onData(Stream stream) throws IOException, InterruptedException {}

        /** Called when a request has arrived completely. */
        default void onComplete(Stream stream) throws IOException, InterruptedException {}
    }

    /** Opens the connection with these SETTINGS. */
    public ScriptedHttp2Connection(ScriptedConnection connection, Map<Integer, Integer> settings) throws IOException {
        this.connection = connection;
        settings(settings);
    }

    /** Reads frames until the client closes the connection. */
    public void serve(Listener listener) throws IOException, InterruptedException {
        DataInputStream in = new DataInputStream(connection.input());
        try {
            in.readFully(new byte[PREFACE_BYTES]);
            while (true) {
                readFrame(in, listener);
            }
        } catch (EOFException closedByClient) {
            // The end of this connection.
        }
    }

    private void readFrame(DataInputStream in, Listener listener) throws IOException, InterruptedException {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        byte type = in.readByte();
        Http2Flags flags = new Http2Flags((short) in.readUnsignedByte());
        int id = in.readInt() & Integer.MAX_VALUE;
        byte[] payload = new byte[length];
        in.readFully(payload);
        switch (type) {
            case Http2FrameTypes.SETTINGS -> {
                acknowledge(Http2FrameTypes.SETTINGS, flags, new byte[0]);
                if (flags.ack()) {
                    onSettingsAcknowledged(unacknowledged.remove());
                }
            }
            case Http2FrameTypes.PING -> acknowledge(Http2FrameTypes.PING, flags, payload);
            case Http2FrameTypes.HEADERS -> readHead(in, id, flags, payload, listener);
            case Http2FrameTypes.DATA -> readData(id, flags, payload, listener);
            case Http2FrameTypes.RST_STREAM -> {
                Stream stream = streams.get(id);
                if (stream != null) {
                    stream.resetCode = ByteBuffer.wrap(payload).getInt() & 0xffff_ffffL;
                }
            }
            default -> {
                // Nothing that a script depends on.
            }
        }
    }

    /** From now on, headers that need a larger table are an error. */
    private void onSettingsAcknowledged(Map<Integer, Integer> settings) throws IOException {
        Integer tableSize = settings.get(HEADER_TABLE_SIZE);
        if (tableSize != null) {
            try {
                decoder.maxHeaderTableSize(tableSize);
            } catch (Http2Exception invalid) {
                throw new IOException(invalid);
            }
        }
    }

    /** Returns whether the client has acknowledged all SETTINGS. */
    public boolean areSettingsAcknowledged() {
        return unacknowledged.isEmpty();
    }

    private void acknowledge(byte type, Http2Flags flags, byte[] payload) throws IOException {
        if (!flags.ack()) {
            send(type, Http2Flags.ACK, 0, payload);
        }
    }

    private void readHead(DataInputStream in, int id, Http2Flags flags, byte[] payload, Listener listener)
            throws IOException, InterruptedException {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.writeBytes(withoutPadding(flags, payload, flags.priorityPresent() ? 5 : 0));
        boolean complete = flags.endOfHeaders();
        while (!complete) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            in.readByte();
            complete = (in.readUnsignedByte() & Http2Flags.END_HEADERS) != 0;
            in.readInt();
            block.writeBytes(in.readNBytes(length));
        }
        Stream stream = new Stream(id, decode(id, block.toByteArray()));
        streams.put(id, stream);
        if (id > lastStream) {
            return;
        }
        listener.onHead(stream);
        if (flags.endOfStream()) {
            listener.onComplete(stream);
        }
    }

    private Http2Headers decode(int id, byte[] block) throws IOException {
        try {
            return decoder.decodeHeaders(id, Unpooled.wrappedBuffer(block));
        } catch (Http2Exception invalid) {
            throw new IOException(invalid);
        }
    }

    private void readData(int id, Http2Flags flags, byte[] payload, Listener listener)
            throws IOException, InterruptedException {
        Stream stream = Objects.requireNonNull(streams.get(id), "DATA without HEADERS");
        stream.bodyBytes += withoutPadding(flags, payload, 0).length;
        if (payload.length > 0) {
            windowUpdate(0, payload.length);
            if (stream.reading && !flags.endOfStream()) {
                windowUpdate(id, payload.length);
            }
        }
        if (id > lastStream) {
            return;
        }
        listener.onData(stream);
        if (flags.endOfStream()) {
            listener.onComplete(stream);
        }
    }

    private static byte[] withoutPadding(Http2Flags flags, byte[] payload, int skipped) {
        ByteBuffer bytes = ByteBuffer.wrap(payload);
        int padding = flags.paddingPresent() ? bytes.get() & 0xff : 0;
        bytes.position(bytes.position() + skipped);
        byte[] content = new byte[bytes.remaining() - padding];
        bytes.get(content);
        return content;
    }

    /** Returns the connection below, to end it. */
    public ScriptedConnection connection() {
        return connection;
    }

    /** Sends SETTINGS. */
    public void settings(Map<Integer, Integer> settings) throws IOException {
        ByteBuffer payload = ByteBuffer.allocate(6 * settings.size());
        settings.forEach((id, value) -> payload.putShort(id.shortValue()).putInt(value));
        unacknowledged.add(settings);
        send(Http2FrameTypes.SETTINGS, (short) 0, 0, payload.array());
    }

    /** Sends GOAWAY. The target ignores streams above the last one from now on; the listener does not see them. */
    public void goAway(int last, Http2Error code) throws IOException {
        lastStream = last;
        byte[] payload =
                ByteBuffer.allocate(8).putInt(last).putInt((int) code.code()).array();
        send(Http2FrameTypes.GO_AWAY, (short) 0, 0, payload);
    }

    /** Enlarges the window of a stream, or that of the connection if {@code stream} is 0. */
    public void windowUpdate(int stream, int bytes) throws IOException {
        send(
                Http2FrameTypes.WINDOW_UPDATE,
                (short) 0,
                stream,
                ByteBuffer.allocate(4).putInt(bytes).array());
    }

    private void send(byte type, short flags, int stream, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(FRAME_HEAD_BYTES + payload.length);
        frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
        frame.put(type).put((byte) flags).putInt(stream).put(payload);
        connection.sendBytes(frame.array());
    }

    /** One request. */
    public final class Stream {

        private final int id;
        private final Http2Headers headers;
        private volatile boolean reading = true;
        private volatile int bodyBytes;
        private volatile Long resetCode;

        Stream(int id, Http2Headers headers) {
            this.id = id;
            this.headers = headers;
        }

        public int id() {
            return id;
        }

        public String path() {
            return headers.path().toString();
        }

        public String method() {
            return headers.method().toString();
        }

        public ScriptedHttp2Connection connection() {
            return ScriptedHttp2Connection.this;
        }

        /** Returns the number of bytes of the body that have arrived. */
        public int bodyBytes() {
            return bodyBytes;
        }

        /** Returns the code of the client's RST_STREAM; null if it sent none. */
        public Long resetCode() {
            return resetCode;
        }

        /** Gives no window back for the rest of the body. */
        public void stopReading() {
            reading = false;
        }

        /** Sends HEADERS: names and values in turns, {@code :status} too. */
        public void headers(boolean end, String... namesAndValues) throws IOException {
            Http2Headers response = new DefaultHttp2Headers(false);
            for (int i = 0; i < namesAndValues.length; i += 2) {
                response.add(namesAndValues[i], namesAndValues[i + 1]);
            }
            short flags = (short) (Http2Flags.END_HEADERS | (end ? Http2Flags.END_STREAM : 0));
            // The order of the blocks on the wire is the order in which the encoder's table changes.
            synchronized (encoder) {
                send(Http2FrameTypes.HEADERS, flags, id, encode(response));
            }
        }

        private byte[] encode(Http2Headers response) throws IOException {
            ByteBuf block = Unpooled.buffer();
            try {
                encoder.encodeHeaders(id, response, block);
            } catch (Http2Exception invalid) {
                throw new IOException(invalid);
            }
            return ByteBufUtil.getBytes(block);
        }

        /** Sends DATA. */
        public void data(boolean end, String text) throws IOException {
            short flags = end ? Http2Flags.END_STREAM : 0;
            send(Http2FrameTypes.DATA, flags, id, text.getBytes(StandardCharsets.ISO_8859_1));
        }

        /** Sends RST_STREAM. */
        public void reset(Http2Error code) throws IOException {
            byte[] payload = ByteBuffer.allocate(4).putInt((int) code.code()).array();
            send(Http2FrameTypes.RST_STREAM, (short) 0, id, payload);
        }
    }
}
