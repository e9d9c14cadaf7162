package io.iocluster.http.client;

import io.iocluster.http.client.ConnectionEnd.Protocol;
import io.iocluster.http.client.ConnectionEnd.Trigger;
import io.iocluster.http.client.server.ScriptedHttp2Connection;
import io.iocluster.http.client.server.ScriptedHttp2Connection.Stream;
import io.iocluster.testkit.target.ScriptedServer;
import io.iocluster.testkit.target.ScriptedServer.ScriptedConnection;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;

/**
 * Target that plays a {@link ConnectionEnd} when {@link #EVENT} is called for the first time, holds calls of {@link #SIBLING} until the
 * test releases them, and answers all others. Records what it received. Thread-safe.
 */
final class EndingTarget implements AutoCloseable {

    static final String EVENT = "/event";
    static final String SIBLING = "/sibling";
    private static final String OK = "HTTP/1.1 200 OK\nContent-Length: 2\n\nok";
    /** A part of a large body that is less than the initial window of a stream, 65,535 bytes. */
    private static final int PART_BYTES = 32_768;

    private final ConnectionEnd end;
    private final ScriptedServer server;
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final List<Stream> siblings = new CopyOnWriteArrayList<>();
    private final Map<Stream, Request> byStream = new ConcurrentHashMap<>();
    private final AtomicBoolean started = new AtomicBoolean();
    private final CountDownLatch played = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile ScriptedConnection lastConnection;
    private volatile Stream lastStream;

    /** A request of which at least the head has arrived. */
    static final class Request {

        final String path;
        final int connection;
        private volatile boolean complete;
        private volatile boolean unprocessed;
        private volatile Stream stream;

        Request(String path, int connection) {
            this.path = path;
            this.connection = connection;
        }

        /** Returns whether the whole request has arrived. */
        boolean isComplete() {
            return complete;
        }

        /** Returns whether the target acted on the whole request. */
        boolean isProcessed() {
            return complete && !unprocessed;
        }

        /** Returns the code of the client's RST_STREAM; null if there is none. */
        Long resetCode() {
            return stream == null ? null : stream.resetCode();
        }
    }

    /** @param tls the target's identity; not used without TLS */
    EndingTarget(ConnectionEnd end, Protocol protocol, SSLContext tls) {
        this.end = end;
        List<String> alpn =
                end.alpn != null ? end.alpn : protocol == Protocol.HTTP2 ? List.of("h2") : List.of("http/1.1");
        server =
                protocol == Protocol.HTTP1 ? new ScriptedServer(this::play) : new ScriptedServer(tls, alpn, this::play);
    }

    int port() {
        return server.port();
    }

    int connections() {
        return server.connections();
    }

    /** Returns the requests for a path, in the order of their arrival. */
    List<Request> requests(String path) {
        return requests.stream().filter(request -> request.path.equals(path)).toList();
    }

    long processed(String path) {
        return requests(path).stream().filter(Request::isProcessed).count();
    }

    /** Returns whether the end has been played. */
    boolean hasPlayed() {
        return played.getCount() == 0;
    }

    /** Plays the end on the idle connection, on this thread. */
    void endIdleConnection() throws IOException, InterruptedException {
        if (end.stream != null) {
            end.stream.play(lastStream);
        } else {
            end.wire.play(lastConnection);
        }
        played.countDown();
    }

    /** Answers the siblings. Those of a connection that has ended get nothing. */
    void releaseSiblings() {
        for (Stream sibling : siblings) {
            try {
                respond(sibling);
            } catch (IOException connectionEnded) {
                // The test checks what the sibling says then.
            }
        }
    }

    private void play(ScriptedConnection connection) throws IOException, InterruptedException {
        lastConnection = connection;
        if (end.trigger == Trigger.ACCEPT && started.compareAndSet(false, true)) {
            played.countDown();
            end.wire.play(connection);
        } else if (connection.protocol().equals("h2")) {
            new ScriptedHttp2Connection(connection, end.http2Settings).serve(new StreamListener());
        } else {
            serve(connection);
        }
    }

    private void serve(ScriptedConnection connection) throws IOException, InterruptedException {
        for (String head = connection.readHead(); head != null; head = connection.readHead()) {
            Request request = record(head.split(" ", 3)[1], connection.number());
            if (isEvent(request)) {
                if (end.trigger == Trigger.PART) {
                    connection.input().readNBytes(PART_BYTES);
                } else if (end.trigger == Trigger.COMPLETE) {
                    connection.readRest();
                    request.complete = true;
                }
                request.unprocessed = end.leavesUnprocessed();
                try {
                    end.wire.play(connection);
                } finally {
                    played.countDown();
                }
                if (end.stopsReading) {
                    closed.await();
                }
            } else {
                connection.readRest();
                request.complete = true;
                connection.send(OK);
            }
        }
    }

    private Request record(String path, int connection) {
        Request request = new Request(path, connection);
        requests.add(request);
        return request;
    }

    /** Returns whether the end is to be played for the request. */
    private boolean isEvent(Request request) {
        return request.path.equals(EVENT)
                && end.trigger != Trigger.IDLE
                && (started.compareAndSet(false, true) || end.everyTime);
    }

    private static void respond(Stream stream) throws IOException {
        stream.headers(false, ":status", "200");
        stream.data(true, "ok");
    }

    @Override
    public void close() {
        closed.countDown();
        server.close();
    }

    /** The streams of one connection. Confined to the thread that reads it. */
    private final class StreamListener implements ScriptedHttp2Connection.Listener {

        private final Set<Stream> ended = new HashSet<>();
        /** The stream that waits for more of its body before the end is played. */
        private Stream pending;

        @Override
        public void onHead(Stream stream) throws IOException, InterruptedException {
            Request request =
                    record(stream.path(), stream.connection().connection().number());
            request.stream = stream;
            byStream.put(stream, request);
            if (isEvent(request)) {
                pending = stream;
                if (end.stopsReading && end.trigger != Trigger.COMPLETE) {
                    stream.stopReading();
                }
                if (end.trigger == Trigger.HEAD) {
                    playOn(stream);
                }
            } else if (end.http2Settings.containsKey(ScriptedHttp2Connection.INITIAL_WINDOW_SIZE)) {
                stream.connection().windowUpdate(stream.id(), PART_BYTES);
            }
        }

        @Override
        public void onData(Stream stream) throws IOException, InterruptedException {
            if (stream == pending && end.trigger == Trigger.PART && stream.bodyBytes() >= PART_BYTES) {
                playOn(stream);
            }
        }

        @Override
        public void onComplete(Stream stream) throws IOException, InterruptedException {
            Request request = byStream.get(stream);
            request.complete = true;
            if (stream == pending) {
                playOn(stream);
            } else if (request.path.equals(SIBLING)) {
                siblings.add(stream);
            } else if (!ended.contains(stream)) {
                lastStream = stream;
                respond(stream);
            }
        }

        private void playOn(Stream stream) throws IOException, InterruptedException {
            pending = null;
            ended.add(stream);
            byStream.get(stream).unprocessed = end.leavesUnprocessed();
            try {
                if (end.stream != null) {
                    end.stream.play(stream);
                } else {
                    end.wire.play(stream.connection().connection());
                }
            } finally {
                played.countDown();
            }
        }
    }
}
