package io.iocluster.pipeline;

import org.junit.jupiter.api.AfterEach;

/** A pipeline whose transport, targets and clock the test controls. The test creates it; it is closed when the test ends. */
public abstract class ControlledPipeline {

    protected final FakeTransport transport = new FakeTransport();
    protected final FakeExecutors http = new FakeExecutors();
    protected final ManualClock clock = new ManualClock();
    protected Pipeline pipeline;

    @AfterEach
    protected void stop() {
        pipeline.close();
    }
}
