package io.iocluster.lab.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.LoggerFactory;

/**
 * Closes the registered resources when a signal ends the process, newest first. Without a signal, the code that opened
 * a resource closes it. Thread-safe.
 */
final class SignalCleanup implements AutoCloseable {

    private final Deque<AutoCloseable> resources = new ArrayDeque<>();
    private final Thread hook = new Thread(this::closeAll, "iocluster-signal-cleanup");

    SignalCleanup() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    synchronized <T extends AutoCloseable> T register(T resource) {
        resources.push(resource);
        return resource;
    }

    private synchronized void closeAll() {
        for (AutoCloseable resource : resources) {
            try {
                resource.close();
            } catch (Exception failed) {
                LoggerFactory.getLogger(SignalCleanup.class).warn("Cleanup failed", failed);
            }
        }
    }

    /** Removes the shutdown hook, because the resources were closed normally. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The JVM is shutting down, and the hook closes the resources.
            LoggerFactory.getLogger(SignalCleanup.class).debug("Shutdown already in progress", ending);
        }
    }
}
