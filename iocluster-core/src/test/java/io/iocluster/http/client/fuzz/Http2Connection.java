package io.iocluster.http.client.fuzz;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the requests of a client, and sends nothing beside the script until it has ended. */
final class Http2Connection extends ServerConnection {

    private static final byte[] PREFACE = Bytes.of("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    /** How often the server waits for the client before it begins the script without the missing requests. */
    private static final int MAX_WAITS = 20;

    private final Http2Exchange exchange;
    private final Frame.Reader reader = new Frame.Reader(new byte[0]);
    private final DefaultHttp2HeadersDecoder hpack = new DefaultHttp2HeadersDecoder(false);
    private final Map<Integer, Request> requests = new HashMap<>();
    private final Map<String, Integer> scripted = new HashMap<>();
    private final List<Runnable> later = new ArrayList<>();
    private byte[] preface = {};
    private boolean silent;
    private boolean played;
    private int lastStream = 1;

    Http2Connection(FuzzServer server, Http2Exchange exchange) {
        super(server);
        this.exchange = exchange;
    }

    private static final class Request {
        private final ByteArrayOutputStream block = new ByteArrayOutputStream();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private boolean last;
        private String method;
        private String path;
    }

    @Override
    void connected(boolean http2) {
        if (!http2) {
            // As the client was told to connect by a stream with the error HTTP_1_1_REQUIRED.
            handOver(new Http1Connection(server, null));
            return;
        }
        send(server.connections() == 1 ? exchange.settings : new Frame(Frame.SETTINGS, 0, 0, new byte[0]).bytes());
    }

    @Override
    void received(byte[] bytes) {
        byte[] frames = bytes;
        if (preface.length < PREFACE.length) {
            byte[] all = Bytes.join(preface, bytes);
            preface = Arrays.copyOf(all, Math.min(all.length, PREFACE.length));
            frames = Arrays.copyOfRange(all, preface.length, all.length);
            if (!Arrays.equals(preface, Arrays.copyOf(PREFACE, preface.length))) {
                server.violation("not the preface of HTTP/2");
            }
        }
        reader.add(frames);
        for (Frame frame = reader.poll(); frame != null; frame = reader.poll()) {
            try {
                received(frame);
            } catch (Http2Exception invalid) {
                server.violation("invalid headers: " + invalid);
            }
        }
    }

    private void received(Frame frame) throws Http2Exception {
        switch (frame.type()) {
            case Frame.SETTINGS -> {
                if (!frame.has(Frame.ACK)) {
                    reply(new Frame(Frame.SETTINGS, Frame.ACK, 0, new byte[0]));
                }
            }
            case Frame.PING -> {
                if (!frame.has(Frame.ACK)) {
                    reply(new Frame(Frame.PING, Frame.ACK, 0, frame.payload()));
                }
            }
            case Frame.HEADERS -> {
                Request request = new Request();
                requests.put(frame.stream(), request);
                lastStream = Math.max(lastStream, frame.stream());
                request.last = frame.has(Frame.END_STREAM);
                int start = (frame.has(Frame.PADDED) ? 1 : 0) + (frame.has(Frame.HAS_PRIORITY) ? 5 : 0);
                int padding = frame.has(Frame.PADDED) ? frame.payload()[0] & 0xff : 0;
                request.block.write(frame.payload(), start, frame.payload().length - start - padding);
                decode(frame, request);
            }
            case Frame.CONTINUATION -> {
                Request request = requests.get(frame.stream());
                request.block.writeBytes(frame.payload());
                decode(frame, request);
            }
            case Frame.DATA -> {
                Request request = requests.get(frame.stream());
                if (request == null) {
                    server.violation("DATA without a request");
                    return;
                }
                request.body.writeBytes(frame.payload());
                if (frame.payload().length > 0) {
                    reply(new Frame(Frame.WINDOW_UPDATE, 0, 0, Frame.numbers(frame.payload().length)));
                    if (!frame.has(Frame.END_STREAM)) {
                        reply(new Frame(Frame.WINDOW_UPDATE, 0, frame.stream(), Frame.numbers(frame.payload().length)));
                    }
                }
                if (frame.has(Frame.END_STREAM)) {
                    complete(frame.stream(), request);
                }
            }
            default -> {}
        }
    }

    private void decode(Frame frame, Request request) throws Http2Exception {
        if (!frame.has(Frame.END_HEADERS)) {
            return;
        }
        Http2Headers headers = hpack.decodeHeaders(frame.stream(), Unpooled.wrappedBuffer(request.block.toByteArray()));
        request.method = String.valueOf(headers.method());
        request.path = String.valueOf(headers.path());
        server.request(request.path);
        if (exchange.isScripted(request.path) && exchange.startsAfterHeaders()) {
            scripted(frame.stream(), request.path);
        }
        if (request.last) {
            complete(frame.stream(), request);
        }
    }

    private void complete(int stream, Request request) {
        if (exchange.isScripted(request.path)) {
            if (!scripted.containsKey(request.path) && !scripted(stream, request.path)) {
                later(() -> respond(stream, request));
            }
        } else {
            later(() -> respond(stream, request));
        }
    }

    /** Remembers a request that the script answers. Returns false if it has begun without this one. */
    private boolean scripted(int stream, String path) {
        if (silent || played || (!server.isScripted(this) && !server.startScript(this))) {
            return false;
        }
        scripted.put(path, stream);
        if (scripted.size() == 1) {
            begin(MAX_WAITS);
        }
        return true;
    }

    private void begin(int waits) {
        if (scripted.size() < exchange.count() && waits > 0) {
            server.settle(() -> begin(waits - 1));
            return;
        }
        silent = true;
        server.play(this, exchange.script(scripted, lastStream), () -> {
            played = true;
            if (exchange.isReusable()) {
                silent = false;
                List.copyOf(later).forEach(Runnable::run);
                later.clear();
            }
        });
    }

    private void reply(Frame frame) {
        later(() -> send(frame.bytes()));
    }

    /** Runs the task now, or after the script if the connection is valid then. */
    private void later(Runnable task) {
        if (silent) {
            later.add(task);
        } else {
            task.run();
        }
    }

    private void respond(int stream, Request request) {
        if (played && stream > exchange.lastAllowedStream()) {
            return;
        }
        server.answeredWell(request.path);
        byte[] body = request.method.equals("HEAD")
                ? new byte[0]
                : Bytes.join(Bytes.of(request.method + " " + request.path + " "), request.body.toByteArray());
        send(new Frame(Frame.HEADERS, Frame.END_HEADERS, stream, new byte[] {(byte) 0x88}).bytes());
        for (int start = 0; ; start += 16_384) {
            int until = Math.min(body.length, start + 16_384);
            boolean last = until == body.length;
            send(new Frame(Frame.DATA, last ? Frame.END_STREAM : 0, stream, Arrays.copyOfRange(body, start, until))
                    .bytes());
            if (last) {
                return;
            }
        }
    }
}
