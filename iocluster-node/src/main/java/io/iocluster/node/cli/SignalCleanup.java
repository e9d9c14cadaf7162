package io.iocluster.node.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.LoggerFactory;

/**
 * Closes what it guards when a signal ends the process, the newest first; where nothing does, that stays with those who
 * opened it. Safe for use by several threads.
 */
final class SignalCleanup implements AutoCloseable {

    private final Deque<AutoCloseable> guarded = new ArrayDeque<>();
    private final Thread hook = new Thread(this::closeAll, "iocluster-interruption");

    SignalCleanup() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    synchronized <T extends AutoCloseable> T register(T resource) {
        guarded.push(resource);
        return resource;
    }

    private synchronized void closeAll() {
        for (AutoCloseable resource : guarded) {
            try {
                resource.close();
            } catch (Exception failed) {
                LoggerFactory.getLogger(SignalCleanup.class).warn("could not clean up", failed);
            }
        }
    }

    /** Ends the guard: everything was closed in the usual way. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // A signal came meanwhile, and the hook does the work.
            LoggerFactory.getLogger(SignalCleanup.class).debug("interrupted while cleaning up", ending);
        }
    }
}
