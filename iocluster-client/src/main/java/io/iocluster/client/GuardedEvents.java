package io.iocluster.client;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells others what happens in a client, and lets what they throw end in the log: a call's end must not hang on who counts it. */
record GuardedEvents(ClientEvents others) implements ClientEvents {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedEvents.class);

    @Override
    public void began() {
        tell(others::began);
    }

    @Override
    public void answered(Duration took) {
        tell(() -> others.answered(took));
    }

    @Override
    public void enqueued(Duration took) {
        tell(() -> others.enqueued(took));
    }

    @Override
    public void failed(IoClusterException failure) {
        tell(() -> others.failed(failure));
    }

    @Override
    public void handled() {
        tell(others::handled);
    }

    @Override
    public void handingFailed(Throwable failure) {
        tell(() -> others.handingFailed(failure));
    }

    @Override
    public void repeated() {
        tell(others::repeated);
    }

    @Override
    public void unreadable() {
        tell(others::unreadable);
    }

    private static void tell(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException defect) {
            LOG.error("The client's events could not be told", defect);
        }
    }
}
