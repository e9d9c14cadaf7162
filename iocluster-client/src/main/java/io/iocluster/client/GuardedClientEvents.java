package io.iocluster.client;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forwards events and logs what the delegate throws, so that a call ends even if the delegate fails. Thread-safe. */
record GuardedClientEvents(ClientEvents delegate) implements ClientEvents {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedClientEvents.class);

    @Override
    public void started() {
        forward(delegate::started);
    }

    @Override
    public void answered(Duration elapsed) {
        forward(() -> delegate.answered(elapsed));
    }

    @Override
    public void enqueued(Duration elapsed) {
        forward(() -> delegate.enqueued(elapsed));
    }

    @Override
    public void failed(IoClusterException failure) {
        forward(() -> delegate.failed(failure));
    }

    @Override
    public void answerHandled() {
        forward(delegate::answerHandled);
    }

    @Override
    public void answerHandlerFailed(Throwable failure) {
        forward(() -> delegate.answerHandlerFailed(failure));
    }

    @Override
    public void duplicateAnswer() {
        forward(delegate::duplicateAnswer);
    }

    @Override
    public void unreadableAnswer() {
        forward(delegate::unreadableAnswer);
    }

    private static void forward(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException defect) {
            LOG.error("ClientEvents implementation failed; the event is lost", defect);
        }
    }
}
