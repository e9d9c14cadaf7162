package io.iocluster.node.egress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Listens on every address of this machine and counts who comes, by the address that was dialled. Answers each once and
 * closes, so that the next call has to dial again. One thread.
 */
final class ConnectionTrap implements AutoCloseable {

    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\ntrap".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket listener;
    private final Map<InetAddress, Integer> dialled = new ConcurrentHashMap<>();

    ConnectionTrap() {
        try {
            listener = new ServerSocket(0);
        } catch (IOException noSocket) {
            throw new UncheckedIOException(noSocket);
        }
        Thread thread = new Thread(this::accept, "trap");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return listener.getLocalPort();
    }

    /** How many connections came to each address. */
    Map<InetAddress, Integer> dialled() {
        return Map.copyOf(dialled);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try (Socket socket = listener.accept()) {
                dialled.merge(socket.getLocalAddress(), 1, Integer::sum);
                socket.getInputStream().read(new byte[8_192]);
                socket.getOutputStream().write(ANSWER);
            } catch (IOException goneOrClosed) {
                // It was counted, if it came.
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
