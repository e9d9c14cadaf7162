package io.iocluster.rabbit.replay;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Forwards connections to a broker and cuts one after a number of bytes from the client, as if the client was killed. Thread-safe.
 */
final class CuttingProxy implements AutoCloseable {

    private final URI broker;
    private final ServerSocket server;
    private final AtomicLong forwarded = new AtomicLong();
    private volatile long limit = Long.MAX_VALUE;

    CuttingProxy(String brokerUri) {
        this.broker = URI.create(brokerUri);
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        start(this::accept);
    }

    String uri() {
        return broker.toString().replace(":" + broker.getPort(), ":" + server.getLocalPort());
    }

    /** Cuts the next connection after this number of bytes from the client. */
    void cutAfter(long bytes) {
        forwarded.set(0);
        limit = bytes;
    }

    /** Returns the number of bytes from the client since {@link #cutAfter}. */
    long forwarded() {
        return forwarded.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                Socket upstream = new Socket(broker.getHost(), broker.getPort());
                start(() -> forward(client, upstream, true));
                start(() -> forward(upstream, client, false));
            }
        } catch (IOException closed) {
            // The test has ended.
        }
    }

    private void forward(Socket from, Socket to, boolean counts) {
        byte[] buffer = new byte[8_192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                long room = counts ? limit - forwarded.get() : Long.MAX_VALUE;
                int length = (int) Math.min(read, Math.max(0, room));
                out.write(buffer, 0, length);
                if (counts) {
                    forwarded.addAndGet(length);
                }
                if (length < read) {
                    return;
                }
            }
        } catch (SocketException closed) {
            // The other direction has ended.
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "cutting-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
