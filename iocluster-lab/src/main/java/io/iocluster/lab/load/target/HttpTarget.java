package io.iocluster.lab.load.target;

import io.iocluster.lab.load.data.CallSpec;
import io.iocluster.lab.load.result.OutcomeCode;
import io.iocluster.log.LogThrottle;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.settings.StatusPattern;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.asynchttpclient.AsyncHandler;
import org.asynchttpclient.AsyncHttpClient;
import org.asynchttpclient.Dsl;
import org.asynchttpclient.HttpResponseBodyPart;
import org.asynchttpclient.HttpResponseStatus;
import org.asynchttpclient.Request;
import org.asynchttpclient.RequestBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the URLs directly, without a cluster, and reads each response to its end. Thread-safe. */
public final class HttpTarget implements LoadTarget {

    private static final Logger LOG = LoggerFactory.getLogger(HttpTarget.class);

    private final AsyncHttpClient client = Dsl.asyncHttpClient(Dsl.config()
            .setFollowRedirect(false)
            .setMaxRequestRetry(0)
            .setCookieStore(null)
            .setConnectTimeout(Duration.ofSeconds(3))
            // Shorter than the idle timeout of most servers. Otherwise some requests use a connection that the server
            // is closing.
            .setPooledConnectionIdleTimeout(Duration.ofSeconds(20))
            .setRequestTimeout(Duration.ofHours(1))
            .setReadTimeout(Duration.ofHours(1))
            .setHashedWheelTickDuration(10)
            .setUseProxySelector(false)
            .setUseProxyProperties(false)
            .build());
    private final LogThrottle invalidCalls = new LogThrottle(LOG, System::nanoTime);
    private final AtomicInteger outstanding = new AtomicInteger();
    private final int maxOutstanding;
    private volatile boolean closed;

    HttpTarget(int maxOutstanding) {
        this.maxOutstanding = maxOutstanding;
    }

    @Override
    public void send(CallSpec call, CallObserver observer) {
        if (outstanding.incrementAndGet() > maxOutstanding) {
            outstanding.decrementAndGet();
            observer.ended(OutcomeCode.CLIENT_FULL, false, null);
            return;
        }
        Exchange exchange = new Exchange(call, observer);
        Request request;
        try {
            request = request(call);
        } catch (RuntimeException invalid) {
            invalidCalls.error("Call cannot be made url={}", call.url(), invalid);
            exchange.end(OutcomeCode.GENERATOR_ERROR, false);
            return;
        }
        try {
            client.executeRequest(request, exchange);
        } catch (RuntimeException failed) {
            exchange.onThrowable(failed);
        }
    }

    private static Request request(CallSpec call) {
        RequestBuilder request = Dsl.request(call.method(), call.url()).setRequestTimeout(timeout(call));
        for (Header header : call.headers()) {
            request.addHeader(header.name(), header.value());
        }
        if (call.body() != null) {
            request.setBody(call.body());
        }
        return request.build();
    }

    private static Duration timeout(CallSpec call) {
        return call.timeout().isZero() || call.timeout().compareTo(call.deadline()) > 0
                ? call.deadline()
                : call.timeout();
    }

    private String code(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof TimeoutException) {
                return ErrorCode.TIMEOUT.wireName();
            }
            if (cause instanceof ConnectException) {
                return OutcomeCode.CONNECT_FAILED;
            }
        }
        return closed ? OutcomeCode.UNANSWERED : OutcomeCode.CONNECTION_CLOSED;
    }

    @Override
    public void close() {
        closed = true;
        try {
            client.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** One call. Confined to its connection's event loop. */
    private final class Exchange implements AsyncHandler<Void> {

        private final CallSpec call;
        private final CallObserver observer;
        private final AtomicBoolean ended = new AtomicBoolean();
        private int status;

        Exchange(CallSpec call, CallObserver observer) {
            this.call = call;
            this.observer = observer;
        }

        @Override
        public State onStatusReceived(HttpResponseStatus received) {
            status = received.getStatusCode();
            return State.CONTINUE;
        }

        @Override
        public State onHeadersReceived(io.netty.handler.codec.http.HttpHeaders headers) {
            return State.CONTINUE;
        }

        @Override
        public State onBodyPartReceived(HttpResponseBodyPart part) {
            return State.CONTINUE;
        }

        @Override
        public void onThrowable(Throwable failure) {
            end(code(failure), false);
        }

        @Override
        public Void onCompleted() {
            end(Integer.toString(status), StatusPattern.anyMatches(call.success(), status));
            return null;
        }

        private void end(String code, boolean success) {
            if (ended.compareAndSet(false, true)) {
                outstanding.decrementAndGet();
                observer.ended(code, success, null);
            }
        }
    }
}
