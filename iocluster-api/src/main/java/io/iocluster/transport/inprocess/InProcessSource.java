package io.iocluster.transport.inprocess;

import io.iocluster.thread.Platform;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import io.iocluster.transport.source.LifecycleSource;

/**
 * Offers the messages of a queue in this process, on a thread that it owns. Thread-safe.
 *
 * @param <D> a message of the queue
 */
public final class InProcessSource<D extends Delivery> extends LifecycleSource<InProcessReader<D>> {

    private final String threadName;
    private final InProcessQueue<D> queue;
    private final Platform platform;

    public InProcessSource(String threadName, InProcessQueue<D> queue, Platform platform) {
        this.threadName = threadName;
        this.queue = queue;
        this.platform = platform;
    }

    @Override
    protected InProcessReader<D> create(Intake intake) {
        return new InProcessReader<>(threadName, queue, intake, platform);
    }

    /** Tells the source that its queue may have a message. Cheap. */
    public void wake() {
        capacityAvailable();
    }
}
