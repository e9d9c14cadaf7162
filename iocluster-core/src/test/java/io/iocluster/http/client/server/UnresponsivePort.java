package io.iocluster.http.client.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Port that does not respond to connection attempts, because its backlog is full and nothing accepts connections. */
public final class UnresponsivePort implements AutoCloseable {

    private final ServerSocket listener;
    private final List<Socket> queued = new ArrayList<>();

    public UnresponsivePort() throws IOException {
        this(0);
    }

    /** Takes this port of 127.0.0.1; 0 for any. */
    public UnresponsivePort(int port) throws IOException {
        listener = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
        boolean full = false;
        while (!full) {
            Socket socket = new Socket();
            queued.add(socket);
            try {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), 200);
            } catch (IOException timedOut) {
                full = true;
            }
        }
    }

    public int port() {
        return listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : queued) {
            socket.close();
        }
        listener.close();
    }
}
