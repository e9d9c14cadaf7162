package io.iocluster.door.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Reads and drops the body of a request that is refused. Confined to the event loop of its request.
 *
 * <p>If a response ends before its request, the server resets the HTTP/2 stream (RFC 9113, section 8.1). Some clients then lose the response:
 * that of Java 17 reports {@code RST_STREAM received}.
 */
public final class RefusedBody implements Subscriber<HttpObject> {

    private static final int MAX_BYTES = 64 << 10;
    private static final int MAX_MILLIS = 1_000;

    private final CompletableFuture<Void> dropped = new CompletableFuture<>();
    private Subscription input;
    private int bytes;

    private RefusedBody() {}

    /**
     * Drops the body of a request, or stops its upload over HTTP/1.
     *
     * @return completes when the refusal can be sent: at the end of the body, after 64 KiB or after a second; never exceptionally
     */
    public static CompletableFuture<Void> drop(ServiceRequestContext context, HttpRequest request) {
        if (!context.sessionProtocol().isMultiplex()) {
            request.abort();
            return CompletableFuture.completedFuture(null);
        }
        RefusedBody body = new RefusedBody();
        request.subscribe(body, context.eventLoop());
        Future<?> timeout =
                context.eventLoop().schedule(() -> body.dropped.complete(null), MAX_MILLIS, TimeUnit.MILLISECONDS);
        body.dropped.thenRun(() -> timeout.cancel(false));
        return body.dropped;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        input = subscription;
        input.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(HttpObject part) {
        if (part instanceof HttpData data) {
            bytes += data.length();
        }
        if (bytes > MAX_BYTES) {
            input.cancel();
            dropped.complete(null);
        }
    }

    @Override
    public void onError(Throwable failure) {
        dropped.complete(null);
    }

    @Override
    public void onComplete() {
        dropped.complete(null);
    }
}
