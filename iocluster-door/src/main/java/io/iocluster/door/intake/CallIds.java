package io.iocluster.door.intake;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Creates ids for calls without one. The ids of different processes differ. Thread-safe. */
final class CallIds {

    private final String prefix;
    private final AtomicLong created = new AtomicLong();

    /** @param process an id of this process */
    CallIds(UUID process) {
        this.prefix = "door-" + process.toString().substring(0, 13) + ".";
    }

    String next() {
        return prefix + created.incrementAndGet();
    }
}
