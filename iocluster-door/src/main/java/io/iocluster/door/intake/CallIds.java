package io.iocluster.door.intake;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Creates ids for calls without one. The ids of different processes differ. Thread-safe. */
final class CallIds {

    private final String prefix = "door-" + UUID.randomUUID().toString().substring(0, 13) + ".";
    private final AtomicLong created = new AtomicLong();

    String next() {
        return prefix + created.incrementAndGet();
    }
}
