package io.iocluster.door.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Counts the responses that have not been sent completely, so that a door that stops can wait for them. Thread-safe. */
final class OpenResponses {

    @GuardedBy("this")
    private int count;

    /** Counts a response and returns the number of open ones. */
    synchronized int start() {
        return ++count;
    }

    synchronized void end() {
        if (--count == 0) {
            notifyAll();
        }
    }

    /** Waits until all responses are sent, at most for this time. */
    synchronized void awaitNone(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        for (long left = timeout.toNanos(); count > 0 && left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }
}
