package io.iocluster.door.spool;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.Forwarder;
import io.iocluster.door.call.StoredCall;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A broker that the test controls. Thread-safe. */
final class FakeForwarder implements Forwarder {

    private final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();
    private volatile boolean connected;
    private volatile boolean confirming;
    private volatile String failing;

    /** A forwarded call. */
    record Sent(StoredCall call, CompletableFuture<Publication> published, CompletableFuture<CallResult> result) {

        void confirm() {
            published.complete(Publication.CONFIRMED);
        }

        void fail() {
            published.complete(Publication.NOT_CONFIRMED);
            result.complete(new CallResult.Failed(CallResult.Reason.UNAVAILABLE, "not confirmed"));
        }

        void answer(String answer) {
            result.complete(new CallResult.Answered(answer.getBytes(StandardCharsets.UTF_8), null));
        }
    }

    /** Returns a broker that accepts calls and leaves them unconfirmed. */
    static FakeForwarder silent() {
        FakeForwarder forwarder = new FakeForwarder();
        forwarder.connected = true;
        return forwarder;
    }

    /** Returns a broker that is away. */
    static FakeForwarder away() {
        return new FakeForwarder();
    }

    /** Connects, and confirms each call from now on. */
    FakeForwarder confirming() {
        confirming = true;
        connected = true;
        return this;
    }

    /** Fails the next forwarding of the call with this id at once. */
    void failAtOnce(String id) {
        failing = id;
    }

    /** Takes no further calls. */
    void disconnect() {
        connected = false;
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    @Override
    public Forwarding forward(StoredCall call) {
        Sent next = new Sent(call, new CompletableFuture<>(), new CompletableFuture<>());
        if (call.id().equals(failing)) {
            failing = null;
            next.fail();
        } else if (confirming) {
            next.confirm();
        }
        sent.add(next);
        return new Forwarding(next.published(), next.result());
    }

    /** Waits for the next forwarded call. */
    Sent next() throws InterruptedException {
        Sent next = sent.poll(1, TimeUnit.MINUTES);
        assertThat(next).as("the next forwarded call").isNotNull();
        return next;
    }

    /** Waits for this number of forwarded calls. */
    List<Sent> next(int count) throws InterruptedException {
        List<Sent> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(next());
        }
        return all;
    }

    /** Returns the number of calls that were forwarded and not taken. */
    int untaken() {
        return sent.size();
    }
}
