package io.iocluster.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free ports of the loopback address. They are below Linux's range for outgoing connections, so that no outgoing
 * connection takes a port before the caller listens on it. Stateless.
 */
public final class FreePorts {

    private static final int FIRST = 12_000;
    private static final int END = 32_000;
    private static final int MAX_TRIES = 1_000;

    private FreePorts() {}

    /** Returns that many different ports on which no process listens. */
    public static int[] find(int count) {
        ServerSocket[] sockets = new ServerSocket[count];
        int[] ports = new int[count];
        try {
            for (int i = 0; i < count; i++) {
                sockets[i] = open();
                ports[i] = sockets[i].getLocalPort();
            }
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ports;
    }

    private static ServerSocket open() throws IOException {
        for (int tries = 1; ; tries++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            try {
                return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
            } catch (BindException taken) {
                if (tries == MAX_TRIES) {
                    throw taken;
                }
            }
        }
    }
}
