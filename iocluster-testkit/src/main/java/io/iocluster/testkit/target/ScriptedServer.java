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
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;

/**
 * Target that sends exactly the bytes of the test's script and records requests. Uses one thread for each connection. Thread-safe.
 */
public final class ScriptedServer implements AutoCloseable {

    private final ServerSocket listener;
    private final Thread acceptor;
    private final Script script;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();

    /** Serves one connection, numbered from 1. The connection is closed when the script returns. */
    @FunctionalInterface
    public interface Script {
        void play(ScriptedConnection connection) throws IOException, InterruptedException;
    }

    public ScriptedServer(Script script) {
        this(ServerSocketFactory.getDefault(), script);
    }

    public ScriptedServer(ServerSocketFactory sockets, Script script) {
        this(sockets, InetAddress.getLoopbackAddress(), script);
    }

    public ScriptedServer(ServerSocketFactory sockets, InetAddress address, Script script) {
        this.script = script;
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
        try (socket) {
            script.play(new ScriptedConnection(socket, number));
        } catch (IOException closedByClient) {
            // The test checks what the client received until then.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
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

    /** One connection on the target's side. Confined to its thread. */
    public final class ScriptedConnection {

        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;
        private final int number;

        ScriptedConnection(Socket socket, int number) throws IOException {
            this.socket = socket;
            this.in = new BufferedInputStream(socket.getInputStream());
            this.out = socket.getOutputStream();
            this.number = number;
        }

        public int number() {
            return number;
        }

        /** Reads one complete request. Returns null if the client closed the connection. */
        public String read() throws IOException {
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                int next = in.read();
                if (next < 0) {
                    return null;
                }
                head.write(next);
            }
            String text = head.toString(StandardCharsets.ISO_8859_1);
            byte[] body = in.readNBytes(contentLength(text));
            String request = text + new String(body, StandardCharsets.ISO_8859_1);
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

        public void sendBytes(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        /** Reads and drops bytes until the client closes the connection. */
        public void awaitClose() throws IOException {
            while (in.read() >= 0) {
                // Drop the byte.
            }
        }

        /** Closes the connection with a TCP reset. */
        public void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }
}
