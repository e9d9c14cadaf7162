package io.iocluster.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free ports of the loopback address. They are below Linux's range for outgoing connections, so that no outgoing
 * connection takes a port before the caller listens on it. Each JVM uses a block of ports that no other JVM uses, and returns its ports in
 * turn, so that a port stays free while its server starts or restarts. Thread-safe.
 */
public final class FreePorts {

    private static final int FIRST = 12_000;
    private static final int END = 32_000;
    private static final int BLOCK = 200;
    private static final int MAX_TRIES = 1_000;

    /** Listens on the first port of the block until this JVM ends, so that no other JVM takes the block. */
    private static final ServerSocket GUARD = openGuard();

    private static int returned;

    private FreePorts() {}

    /** Returns that many different ports on which no process listens. */
    public static synchronized int[] find(int count) {
        int[] ports = new int[count];
        for (int i = 0; i < count; i++) {
            ports[i] = findNext();
        }
        return ports;
    }

    private static int findNext() {
        for (int tries = 1; tries < BLOCK; tries++) {
            int port = GUARD.getLocalPort() + 1 + returned++ % (BLOCK - 1);
            try {
                listen(port).close();
                return port;
            } catch (BindException taken) {
                // The next port may be free.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw new IllegalStateException("no port is free from " + GUARD.getLocalPort() + " on");
    }

    private static ServerSocket openGuard() {
        for (int tries = 1; tries <= MAX_TRIES; tries++) {
            int block = ThreadLocalRandom.current().nextInt((END - FIRST) / BLOCK);
            try {
                return listen(FIRST + block * BLOCK);
            } catch (BindException taken) {
                // Another block may be free.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw new IllegalStateException("no block of ports is free");
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }
}
