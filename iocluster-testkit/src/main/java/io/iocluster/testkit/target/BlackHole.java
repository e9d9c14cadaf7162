package io.iocluster.testkit.target;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/**
 * A port that answers no connection attempt: its listener accepts none, and its backlog is full. Confined to one
 * thread.
 */
public final class BlackHole implements AutoCloseable {

    private static final int CONNECT_TIMEOUT_MILLIS = 200;

    private final ServerSocket listener;
    private final List<Socket> queued = new ArrayList<>();

    private BlackHole(ServerSocket listener) {
        this.listener = listener;
    }

    /** Opens a free port of this loopback address and fills its backlog. */
    public static BlackHole open(String host) {
        try {
            BlackHole hole = new BlackHole(new ServerSocket(0, 1, InetAddress.getByName(host)));
            hole.fill();
            return hole;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void fill() throws IOException {
        boolean full = false;
        while (!full) {
            Socket socket = new Socket();
            queued.add(socket);
            try {
                socket.connect(address(), CONNECT_TIMEOUT_MILLIS);
            } catch (SocketTimeoutException noAnswer) {
                full = true;
            }
        }
    }

    private InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Returns the URL of a path; the path starts with a slash. */
    public String url(String path) {
        return "http://" + listener.getInetAddress().getHostAddress() + ":" + listener.getLocalPort() + path;
    }

    @Override
    public void close() {
        try {
            for (Socket socket : queued) {
                socket.close();
            }
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
