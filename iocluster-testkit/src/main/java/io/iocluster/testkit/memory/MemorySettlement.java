package io.iocluster.testkit.memory;

import io.iocluster.transport.Settlement;
import java.util.concurrent.atomic.AtomicBoolean;

/** Tells its source of the first call, and of each further one that it strayed. Safe for several threads. */
final class MemorySettlement implements Settlement {

    private final AtomicBoolean used = new AtomicBoolean();
    private final MemorySource source;
    private final MemoryMessage message;

    MemorySettlement(MemorySource source, MemoryMessage message) {
        this.source = source;
        this.message = message;
    }

    @Override
    public void acknowledge() {
        settle(true);
    }

    @Override
    public void release() {
        settle(false);
    }

    private void settle(boolean done) {
        if (used.compareAndSet(false, true)) {
            source.settled(message, done);
        } else {
            source.recordDuplicateSettlement();
        }
    }
}
