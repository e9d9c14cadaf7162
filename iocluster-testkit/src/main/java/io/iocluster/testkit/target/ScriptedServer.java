package io.iocluster.testkit.target;

import io.iocluster.thread.DaemonThreadFactory;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * Target that sends exactly the bytes of the test's script and records requests. Uses one thread for each connection. Thread-safe.
 */
public final class ScriptedServer implements AutoCloseable {

    private final ServerSocket listener;
    private final Thread acceptor;
    private final Script script;
    private final TlsLayer tls;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();

    /** Serves one connection, numbered from 1. The connection is closed when the script returns. */
    @FunctionalInterface
    public interface Script {
        void play(ScriptedConnection connection) throws IOException, InterruptedException;
    }

    /** Opens TLS on an accepted socket when the script reads or writes for the first time. */
    private record TlsLayer(SSLContext context, List<String> protocols) {

        SSLSocket over(Socket socket) throws IOException {
            SSLSocket layered = (SSLSocket) context.getSocketFactory().createSocket(socket, null, false);
            SSLParameters parameters = layered.getSSLParameters();
            parameters.setApplicationProtocols(protocols.toArray(String[]::new));
            layered.setSSLParameters(parameters);
            return layered;
        }
    }

    public ScriptedServer(Script script) {
        this(ServerSocketFactory.getDefault(), script);
    }

    /**
     * Creates a target over TLS whose script decides how TLS and TCP end. The handshake starts when the script reads, writes or asks
     * for the protocol.
     *
     * @param protocols the protocols for ALPN, the preferred one first; empty for no ALPN
     */
    public ScriptedServer(SSLContext context, List<String> protocols, Script script) {
        this(
                ServerSocketFactory.getDefault(),
                InetAddress.getLoopbackAddress(),
                new TlsLayer(context, List.copyOf(protocols)),
                script);
    }

    public ScriptedServer(ServerSocketFactory sockets, Script script) {
        this(sockets, InetAddress.getLoopbackAddress(), script);
    }

    public ScriptedServer(ServerSocketFactory sockets, InetAddress address, Script script) {
        this(sockets, address, null, script);
    }

    private ScriptedServer(ServerSocketFactory sockets, InetAddress address, TlsLayer tls, Script script) {
        this.script = script;
        this.tls = tls;
        try {
            this.listener = sockets.createServerSocket(0, 100, address);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
        this.acceptor = daemon(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    public int connections() {
        return connections.get();
    }

    /** Returns the requests, each with its headers and body unchanged. */
    public List<String> requests() {
        return requests;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                int number = connections.incrementAndGet();
                daemon(() -> play(socket, number));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void play(Socket socket, int number) {
        CountDownLatch over = new CountDownLatch(1);
        try (socket) {
            script.play(new ScriptedConnection(socket, tls == null ? socket : tls.over(socket), number, over));
        } catch (IOException closedByClient) {
            // The test checks what the client received until then.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            over.countDown();
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = DaemonThreadFactory.newThread("scripted-server", task);
        thread.start();
        return thread;
    }

    /** Stops accepting connections, then closes the open ones. */
    @Override
    public void close() {
        try {
            listener.close();
            // Linux accepts connections until the thread that waits for them has noticed.
            acceptor.join();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** One connection on the target's side. One thread reads; any thread may send or end the connection. */
    public final class ScriptedConnection {

        private final Socket socket;
        /** The same as {@code socket} without TLS. */
        private final Socket secured;

        private final InputStream in;
        private final int number;
        private final Thread reader = Thread.currentThread();
        private final CountDownLatch over;
        private String head;

        ScriptedConnection(Socket socket, Socket secured, int number, CountDownLatch over) throws IOException {
            this.over = over;
            this.socket = socket;
            this.secured = secured;
            this.in = new BufferedInputStream(secured.getInputStream());
            this.number = number;
        }

        public int number() {
            return number;
        }

        /** Returns the bytes that the client sends, decrypted. */
        public InputStream input() {
            return in;
        }

        /** Completes the TLS handshake and returns the protocol that ALPN selected, empty for none and without TLS. */
        public String protocol() throws IOException {
            if (secured instanceof SSLSocket layered) {
                layered.startHandshake();
                return layered.getApplicationProtocol();
            }
            return "";
        }

        /** Reads one complete request. Returns null if the client closed the connection. */
        public String read() throws IOException {
            return readHead() == null ? null : readRest();
        }

        /** Reads the head of a request. Returns null if the client closed the connection. */
        public String readHead() throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            while (!bytes.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                int next = in.read();
                if (next < 0) {
                    return null;
                }
                bytes.write(next);
            }
            head = bytes.toString(StandardCharsets.ISO_8859_1);
            return head;
        }

        /** Reads the body that follows the head and records the request. */
        public String readRest() throws IOException {
            byte[] body = in.readNBytes(contentLength(head));
            String request = head + new String(body, StandardCharsets.ISO_8859_1);
            requests.add(request);
            return request;
        }

        private int contentLength(String head) {
            return head.lines()
                    .filter(line -> line.regionMatches(true, 0, "content-length:", 0, 15))
                    .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                    .findFirst()
                    .orElse(0);
        }

        /** Sends the text with each line feed as CRLF. */
        public void send(String text) throws IOException {
            sendBytes(text.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        }

        public synchronized void sendBytes(byte[] bytes) throws IOException {
            OutputStream out = secured.getOutputStream();
            out.write(bytes);
            out.flush();
        }

        /** Reads and drops bytes until the client closes the connection. */
        public void awaitClose() throws IOException {
            while (in.read() >= 0) {
                // Drop the byte.
            }
        }

        /** Ends the server's side of TLS with a close_notify alert; TCP stays open. */
        public void closeNotify() throws IOException {
            ((SSLSocket) secured).shutdownOutput();
        }

        /** Sends a FIN, over TLS without a close_notify alert. Bytes of the client are still received. */
        public void finish() throws IOException {
            socket.shutdownOutput();
        }

        /** Drops the bytes on the wire, encrypted or not, until the client closes the connection. */
        public void dropUntilClosed() throws IOException {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        }

        /** Closes the connection with a TCP reset. The client's kernel knows of it when this method returns. */
        public void reset() throws IOException, InterruptedException {
            socket.setSoLinger(true, 0);
            socket.close();
            if (Thread.currentThread() != reader) {
                // The kernel keeps the socket until no thread reads from it.
                over.await();
            }
        }
    }
}
