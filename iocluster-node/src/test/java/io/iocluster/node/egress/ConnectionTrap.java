package io.iocluster.node.egress;

import io.iocluster.thread.DaemonThreadFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Listens on every address of this machine and counts connections by destination address. Answers each connection once
 * and closes it, so that the next call has to connect again. Runs one thread.
 */
final class ConnectionTrap implements AutoCloseable {

    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\ntrap".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket listener;
    private final Map<InetAddress, Integer> connectionsByAddress = new ConcurrentHashMap<>();

    ConnectionTrap() {
        try {
            listener = new ServerSocket(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        DaemonThreadFactory.newThread("trap", this::accept).start();
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Returns the number of connections by address. */
    Map<InetAddress, Integer> connectionsByAddress() {
        return Map.copyOf(connectionsByAddress);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try (Socket socket = listener.accept()) {
                connectionsByAddress.merge(socket.getLocalAddress(), 1, Integer::sum);
                socket.getInputStream().read(new byte[8_192]);
                socket.getOutputStream().write(ANSWER);
            } catch (IOException ignored) {
                // An accepted connection was already counted.
            }
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
