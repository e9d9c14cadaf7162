package io.iocluster.node.egress;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;

/**
 * A target that sends exactly the bytes that {@link TargetBehaviour} defines for a path, and counts requests. Runs one
 * thread for each connection.
 */
final class RawTarget implements AutoCloseable {

    private final ServerSocket listener;
    private final Map<String, Integer> requests = new ConcurrentHashMap<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger openRequests = new AtomicInteger();

    RawTarget(InetAddress address) {
        this(address, ServerSocketFactory.getDefault());
    }

    RawTarget(InetAddress address, ServerSocketFactory factory) {
        try {
            listener = factory.createServerSocket(0, 100, address);
        } catch (IOException noSocket) {
            throw new UncheckedIOException(noSocket);
        }
        daemon(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Returns the number of requests for a path with its query. */
    int requests(String path) {
        return requests.getOrDefault(path, 0);
    }

    /** Returns the number of open requests. Some stay open until the client disconnects. */
    int openRequests() {
        return openRequests.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                daemon(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            RawConnection connection = new RawConnection(socket);
            String path = connection.read();
            for (int number = 1; path != null; number++) {
                int seen = requests.merge(path, 1, Integer::sum);
                if (!answer(connection, path, number, seen)) {
                    return;
                }
                path = connection.read();
            }
        } catch (IOException clientIsGone) {
            // The test checks the client's result instead.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean answer(RawConnection connection, String path, int number, int seen)
            throws IOException, InterruptedException {
        openRequests.incrementAndGet();
        try {
            return TargetBehaviour.answer(connection, path, number, seen);
        } finally {
            openRequests.decrementAndGet();
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "raw-target");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The target's side of one connection. Confined to its thread. */
    static final class RawConnection {

        private final InputStream in;
        private final OutputStream out;

        private RawConnection(Socket socket) throws IOException {
            in = new BufferedInputStream(socket.getInputStream());
            out = socket.getOutputStream();
        }

        /** Reads a whole request and returns its path; null if the client closed the connection. */
        private String read() throws IOException {
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                int next = in.read();
                if (next < 0) {
                    return null;
                }
                head.write(next);
            }
            String text = head.toString(StandardCharsets.ISO_8859_1);
            int length = text.lines()
                    .filter(line -> line.regionMatches(true, 0, "content-length:", 0, 15))
                    .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                    .findFirst()
                    .orElse(0);
            in.readNBytes(length);
            return text.split(" ", 3)[1];
        }

        /** Sends the text, with each line feed as CRLF. */
        void say(String text) throws IOException {
            sayBytes(text.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        }

        void sayBytes(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        void untilClosed() throws IOException {
            while (in.read() >= 0) {
                // Discards the rest.
            }
        }
    }
}
