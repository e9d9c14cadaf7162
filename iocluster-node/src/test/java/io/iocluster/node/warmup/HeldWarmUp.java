package io.iocluster.node.warmup;

import io.iocluster.thread.Platform;
import java.util.concurrent.CountDownLatch;

/** A warm-up that lasts until a test releases it, because a real one ends when its calls are fast. Thread-safe. */
public final class HeldWarmUp implements AutoCloseable {

    private final CountDownLatch released = new CountDownLatch(1);

    /** Returns a warm-up that makes its first call after the release. Release it before you close the node, which waits for its end. */
    public NodeWarmUp warmUp() {
        return new NodeWarmUp(
                () -> {
                    try {
                        released.await();
                    } catch (InterruptedException interrupted) {
                        throw new IllegalStateException("interrupted before the release", interrupted);
                    }
                    return new WarmUpTarget();
                },
                Platform.system());
    }

    /** Releases the warm-up. */
    @Override
    public void close() {
        released.countDown();
    }
}
