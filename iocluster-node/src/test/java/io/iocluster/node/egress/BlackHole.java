package io.iocluster.node.egress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A port that answers no connection attempt: its listener accepts nobody and its queue is full. */
final class BlackHole implements AutoCloseable {

    private final ServerSocket listener;
    private final List<Socket> queued = new ArrayList<>();

    BlackHole(InetAddress address) {
        try {
            listener = new ServerSocket(0, 1, address);
        } catch (IOException noSocket) {
            throw new UncheckedIOException(noSocket);
        }
        boolean full = false;
        while (!full) {
            Socket socket = new Socket();
            queued.add(socket);
            try {
                socket.connect(new InetSocketAddress(address, port()), 200);
            } catch (IOException noAnswer) {
                full = true;
            }
        }
    }

    int port() {
        return listener.getLocalPort();
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
