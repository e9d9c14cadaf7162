package io.iocluster.testkit.broker;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Polls conditions. Stateless. */
public final class Polling {

    private static final Duration PAUSE = Duration.ofMillis(50);

    private Polling() {}

    /**
     * Polls until the condition holds.
     *
     * @param endNanos a {@link System#nanoTime}
     * @return whether the condition held before the end
     */
    public static boolean pollUntil(long endNanos, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - endNanos > 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return true;
    }

    /** Returns whether the port accepts a TCP connection. */
    public static boolean isListening(String host, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
