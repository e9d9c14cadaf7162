package io.iocluster.testkit.memory;

import io.iocluster.transport.Settlement;
import java.util.concurrent.atomic.AtomicBoolean;

/** Reports the first call to its queue, and each further call as a duplicate settlement. Thread-safe. */
final class MemorySettlement implements Settlement {

    private final AtomicBoolean used = new AtomicBoolean();
    private final MemoryQueue queue;
    private final MemoryMessage message;

    MemorySettlement(MemoryQueue queue, MemoryMessage message) {
        this.queue = queue;
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

    private void settle(boolean acknowledged) {
        if (used.compareAndSet(false, true)) {
            queue.settle(message, acknowledged);
        } else {
            queue.recordDuplicateSettlement();
        }
    }
}
