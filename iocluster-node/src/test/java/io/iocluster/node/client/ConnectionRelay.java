package io.iocluster.node.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Forwards TCP connections to a port of this machine, and cuts them. Thread-safe. Owned by one test. */
final class ConnectionRelay implements AutoCloseable {

    private final ServerSocket server;
    private final int to;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    ConnectionRelay(int to) throws IOException {
        this.to = to;
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** Ends all connections. New ones are possible. */
    void cut() {
        open.forEach(ConnectionRelay::close);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                Socket target = new Socket(InetAddress.getLoopbackAddress(), to);
                open.add(client);
                open.add(target);
                start(() -> copy(client, target));
                start(() -> copy(target, client));
            }
        } catch (IOException closed) {
            cut();
        }
    }

    private void copy(Socket from, Socket into) {
        try (InputStream in = from.getInputStream()) {
            in.transferTo(into.getOutputStream());
        } catch (IOException ended) {
            // The other direction ends too.
        }
        close(from);
        close(into);
        open.remove(from);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException closed) {
            // Nothing is left to do.
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "connection-relay");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }
}
