package io.iocluster.pipeline;

import io.iocluster.testkit.memory.FakeDelivery;

/** A delivery that cannot be released. */
public final class ThrowingDelivery extends FakeDelivery {

    public ThrowingDelivery(String payload) {
        super(payload);
    }

    @Override
    public void release() {
        throw new IllegalStateException("cannot be released");
    }
}
