package io.iocluster.http.client;

import io.iocluster.http.BodyBudget;
import io.iocluster.http.Certainty;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.client.ResponseCollector.Problem;
import io.iocluster.http.client.RouteTable.TargetRoute;
import io.iocluster.http.timeout.TimeoutWheel;
import io.iocluster.message.ErrorCode;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSession;
import org.asynchttpclient.AsyncHandler;
import org.asynchttpclient.HttpResponseBodyPart;
import org.asynchttpclient.HttpResponseStatus;
import org.asynchttpclient.ListenableFuture;
import org.asynchttpclient.Request;
import org.asynchttpclient.netty.request.NettyRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One open attempt: receives the client's events and completes exactly one result. Confined to the executor's event
 * loop.
 */
final class HttpAttempt extends TimeoutWheel.Entry<HttpAttempt> implements AsyncHandler<Void> {

    private static final int PROXY_AUTHENTICATION_REQUIRED = 407;
    private static final Logger LOG = LoggerFactory.getLogger(HttpAttempt.class);

    private final NettyHttpExecutor executor;
    private final HttpRequest request;
    private final TargetRoute route;
    private final Request wireRequest;
    private final ResponseCollector response;
    private final Result result = new Result();

    private ListenableFuture<Void> call;
    private int tries;
    private boolean done;

    private AttemptPhase phase = AttemptPhase.STARTING;
    private boolean pooled;
    private boolean sent;
    /** Whether the request may have been sent on an idle connection before. */
    private boolean sentBefore;
    /** Whether the request that was written last is a {@code CONNECT} to a proxy and not the call itself. */
    private boolean openingTunnel;

    /** The address whose connect permit this attempt holds; null if it holds none. */
    private InetSocketAddress connectPermit;

    private long phaseStart;
    private long dnsNanos;
    private long connectNanos;
    private long tlsNanos;
    private long firstByteNanos;

    HttpAttempt(
            NettyHttpExecutor executor,
            HttpRequest request,
            TargetRoute route,
            Request wireRequest,
            BodyBudget budget) {
        this.executor = executor;
        this.request = request;
        this.route = route;
        this.wireRequest = wireRequest;
        this.response = new ResponseCollector(executor, budget);
    }

    CompletableFuture<HttpResult> start(long startNanos, long timeoutNanos) {
        executor.openAttempts().add(this, startNanos, timeoutNanos);
        try {
            if (route.client().proxied()) {
                enter(AttemptPhase.RESOLVING);
                executor.addressChecker().check(route.origin(), this::onTargetChecked);
            } else {
                send();
            }
        } catch (Throwable bug) {
            onThrowable(bug);
        }
        return result;
    }

    /** Called before a proxy is used, because the client never resolves a target that the proxy connects to. */
    private void onTargetChecked(boolean allowed) {
        if (done) {
            return;
        }
        if (allowed) {
            sendOrFail();
        } else {
            fail(ErrorCode.ADDRESS_NOT_ALLOWED, ErrorCode.ADDRESS_NOT_ALLOWED.description());
        }
    }

    /** Calls {@link #send} and ends the attempt on any exception, because the caller would lose it. */
    private void sendOrFail() {
        try {
            send();
        } catch (Throwable bug) {
            onThrowable(bug);
        }
    }

    private void send() {
        tries++;
        int number = tries;
        ListenableFuture<Void> started = route.client().httpClient().executeRequest(wireRequest, this);
        if (number == tries) {
            call = started;
        }
    }

    @Override
    public void onHostnameResolutionAttempt(String name) {
        enter(AttemptPhase.RESOLVING);
    }

    @Override
    public void onHostnameResolutionSuccess(String name, List<InetSocketAddress> addresses) {
        dnsNanos = sincePhaseStart();
        connectPermit =
                InetSocketAddress.createUnresolved(name, addresses.get(0).getPort());
        if (done) {
            releaseConnectPermit();
        }
    }

    @Override
    public void onTcpConnectAttempt(InetSocketAddress remoteAddress) {
        if (phase != AttemptPhase.CONNECTING) {
            enter(AttemptPhase.CONNECTING);
        }
    }

    @Override
    public void onTcpConnectSuccess(InetSocketAddress remoteAddress, Channel connection) {
        connectNanos = sincePhaseStart();
        phase = AttemptPhase.CONNECTED;
        releaseConnectPermit();
    }

    @Override
    public void onTlsHandshakeAttempt() {
        enter(AttemptPhase.TLS_HANDSHAKE);
    }

    @Override
    public void onTlsHandshakeSuccess(SSLSession session) {
        tlsNanos = sincePhaseStart();
        phase = AttemptPhase.CONNECTED;
    }

    @Override
    public void onConnectionPooled(Channel connection) {
        pooled = true;
        phase = AttemptPhase.CONNECTED;
    }

    @Override
    public void onConnectionOffer(Channel connection) {
        executor.connectionReleased(connection, route.poolKey());
    }

    @Override
    public void onRequestSend(NettyRequest written) {
        if (openingTunnel) {
            tlsNanos = sincePhaseStart(); // The client has no event for a handshake in a tunnel.
        }
        openingTunnel = written.getHttpRequest().method().equals(HttpMethod.CONNECT);
        sent = !openingTunnel;
        enter(AttemptPhase.CONNECTED);
    }

    @Override
    public State onStatusReceived(HttpResponseStatus received) {
        firstByteNanos = sincePhaseStart();
        int status = received.getStatusCode();
        Problem problem = response.setStatus(status);
        if (problem != null) {
            return abort(problem);
        }
        boolean proxyLogin =
                status == PROXY_AUTHENTICATION_REQUIRED && route.client().proxied();
        if (openingTunnel || (proxyLogin && !route.origin().isSecure())) {
            sent = false;
            return abort(new Problem(ErrorCode.PROXY_FAILED, "the proxy returned status " + status));
        }
        return State.CONTINUE;
    }

    @Override
    public State onHeadersReceived(HttpHeaders received) {
        Problem problem = response.setHeaders(received);
        return problem == null ? State.CONTINUE : abort(problem);
    }

    private State abort(Problem problem) {
        fail(problem.code(), problem.message());
        return State.ABORT;
    }

    @Override
    public State onTrailingHeadersReceived(HttpHeaders trailers) {
        return State.CONTINUE;
    }

    @Override
    public State onBodyPartReceived(HttpResponseBodyPart part) {
        if (done) {
            return State.ABORT;
        }
        return part.length() == 0 || response.append(part.getBodyByteBuf()) ? State.CONTINUE : State.ABORT;
    }

    /** Called after an abort too; the result is then built from what was stored. */
    @Override
    public Void onCompleted() {
        Problem problem = response.finish();
        if (problem == null) {
            finish(response.toResponse(timing()));
        } else {
            fail(problem.code(), problem.message());
        }
        return null;
    }

    @Override
    public void onThrowable(Throwable thrown) {
        if (done) {
            return;
        }
        ErrorCode code = openingTunnel
                ? FailureClassifier.classifyTunnelFailure(thrown)
                : FailureClassifier.classify(phase, thrown);
        if (wasStaleConnection(thrown) && !executor.isClosed()) {
            LOG.debug(
                    "Idle connection was closed by the target; retrying on a new one destination={}",
                    request.url().destination());
            retryOnce();
            return;
        }
        if (code == ErrorCode.PROXY_FAILED) {
            sent = false; // The request waits until the proxy has opened the tunnel.
        }
        if (code == ErrorCode.INTERNAL) {
            LOG.error(
                    "Attempt failed because of a defect destination={}",
                    request.url().destination(),
                    thrown);
        }
        fail(code, code.description());
    }

    /**
     * Returns whether an idle connection was closed before the call could use it. The target may close it at any time
     * (RFC 9112, section 9.3.1), so that is not a failure of the call. Returns false for a call that may have been sent
     * and is not idempotent, because it must not be sent twice.
     */
    private boolean wasStaleConnection(Throwable thrown) {
        return tries == 1
                && pooled
                && !response.hasStatus()
                && (request.isIdempotent() || !sent)
                && !FailureClassifier.isClosedDuringResponse(thrown)
                && FailureClassifier.classify(phase, thrown) == ErrorCode.CONNECTION_CLOSED;
    }

    /** Retries on a new connection, because other idle connections to the same origin may be closed too. */
    private void retryOnce() {
        phase = AttemptPhase.STARTING;
        pooled = false;
        sentBefore = sent;
        sent = false;
        openingTunnel = false;
        executor.closeIdleConnections(route.poolKey());
        sendOrFail();
    }

    @Override
    protected void timeOut() {
        if (!done) {
            boolean noConnection = phase.isBeforeConnection();
            fail(
                    noConnection ? ErrorCode.CONNECT_TIMEOUT : ErrorCode.TIMEOUT,
                    noConnection ? "no connection within the attempt's timeout" : ErrorCode.TIMEOUT.description());
        }
    }

    /** Ends the attempt with a failure and closes its connection, if any. */
    void fail(ErrorCode code, String message) {
        finish(new HttpResult.Failure(
                code, message, sent || sentBefore ? Certainty.UNKNOWN : Certainty.NOT_SENT, timing()));
    }

    private void finish(HttpResult outcome) {
        if (!done) {
            end();
            result.complete(outcome);
        }
    }

    private void end() {
        done = true;
        releaseConnectPermit();
        executor.openAttempts().remove(this);
        response.close();
        if (call != null && !call.isDone()) {
            call.cancel(true);
        }
    }

    private void releaseConnectPermit() {
        if (connectPermit != null) {
            executor.connectThrottle().release(connectPermit);
            connectPermit = null;
        }
    }

    private void enter(AttemptPhase newPhase) {
        phase = newPhase;
        phaseStart = System.nanoTime();
    }

    private long sincePhaseStart() {
        return System.nanoTime() - phaseStart;
    }

    private AttemptTiming timing() {
        return new AttemptTiming(millis(dnsNanos), millis(connectNanos), millis(tlsNanos), millis(firstByteNanos));
    }

    private static long millis(long nanos) {
        return nanos / 1_000_000;
    }

    /** Ends the attempt when the caller cancels it. */
    private final class Result extends CompletableFuture<HttpResult> {

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            if (!done) {
                end();
            }
            return super.cancel(mayInterruptIfRunning);
        }
    }
}
