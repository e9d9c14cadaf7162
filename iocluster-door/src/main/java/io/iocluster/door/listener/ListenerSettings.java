package io.iocluster.door.listener;

import java.time.Duration;

/**
 * Where a listener listens, and what its clients can use.
 *
 * @param name the section of the settings, such as {@code door}; also names the threads
 * @param port 0 for any free port
 * @param threads the number of event loops
 * @param maxConnections maximum number of open connections, 1 or more
 * @param closesOldest whether a connection above the maximum closes the oldest one, so that idle clients cannot lock out probes; needs one
 *     event loop. Otherwise the new connection is closed, because the open ones have calls
 * @param requestTimeout longest time for the headers of a request, and for the whole request unless its route extends it
 * @param maxBody maximum size of a request's body in bytes
 */
public record ListenerSettings(
        String name,
        String host,
        int port,
        int threads,
        int maxConnections,
        boolean closesOldest,
        Duration requestTimeout,
        long maxBody) {}
