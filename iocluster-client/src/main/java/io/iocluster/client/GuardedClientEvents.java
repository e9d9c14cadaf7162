package io.iocluster.client;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells others what happens in a client, and lets what they throw end in the log: a call's end must not hang on who counts it. */
record GuardedClientEvents(ClientEvents delegate) implements ClientEvents {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedClientEvents.class);

    @Override
    public void started() {
        tell(delegate::started);
    }

    @Override
    public void answered(Duration took) {
        tell(() -> delegate.answered(took));
    }

    @Override
    public void enqueued(Duration took) {
        tell(() -> delegate.enqueued(took));
    }

    @Override
    public void failed(IoClusterException failure) {
        tell(() -> delegate.failed(failure));
    }

    @Override
    public void answerHandled() {
        tell(delegate::answerHandled);
    }

    @Override
    public void answerHandlerFailed(Throwable failure) {
        tell(() -> delegate.answerHandlerFailed(failure));
    }

    @Override
    public void duplicateAnswer() {
        tell(delegate::duplicateAnswer);
    }

    @Override
    public void unreadableAnswer() {
        tell(delegate::unreadableAnswer);
    }

    private static void tell(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException defect) {
            LOG.error("The client's events could not be told", defect);
        }
    }
}
