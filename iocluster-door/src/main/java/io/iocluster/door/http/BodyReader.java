package io.iocluster.door.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import io.iocluster.door.access.BodyBudget;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Collects the body of a request, and reserves each part in the budget when it arrives. Confined to the event loop of its request. */
final class BodyReader implements Subscriber<HttpObject> {

    private final BodyBudget budget;
    private final String app;
    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int reserved;
    private Subscription input;

    BodyReader(BodyBudget budget, String app) {
        this.budget = budget;
        this.app = app;
    }

    /** Returns a stage that completes with the body, or exceptionally with the failure. */
    CompletableFuture<byte[]> whole() {
        return whole;
    }

    /** Returns the number of reserved bytes. */
    int reserved() {
        return reserved;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        input = subscription;
        input.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(HttpObject part) {
        if (whole.isDone() || !(part instanceof HttpData data)) {
            return;
        }
        if (budget.tryReserve(app, data.length())) {
            reserved += data.length();
            body.writeBytes(data.array());
        } else {
            input.cancel();
            whole.completeExceptionally(new ProblemException(DoorRequest.bodiesFull(app)));
        }
    }

    @Override
    public void onError(Throwable failure) {
        whole.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        byte[] bytes = body.toByteArray();
        // The reader lives until the response has ended, and the buffer is up to twice as large as the body.
        body = null;
        whole.complete(bytes);
    }
}
