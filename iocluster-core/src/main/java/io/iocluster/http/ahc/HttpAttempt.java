package io.iocluster.http.ahc;

import io.iocluster.http.BodyBudget;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.ahc.RouteTable.TargetRoute;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.SentStatus;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.Timeout;
import io.netty.util.TimerTask;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
 * One attempt under way: hears the client's events and ends in exactly one result. Confined to the executor's event loop;
 * only {@link #run(Timeout)} is called on the timer's thread, and does nothing but go to the loop.
 */
final class HttpAttempt implements AsyncHandler<Void>, TimerTask, Runnable {

    private static final int PROXY_AUTHENTICATION_REQUIRED = 407;
    private static final int LEAST_STATUS = 100;
    private static final int GREATEST_STATUS = 999;
    private static final Logger LOG = LoggerFactory.getLogger(HttpAttempt.class);

    private final AsyncHttpExecutor executor;
    private final HttpRequest request;
    private final TargetRoute place;
    private final Request wireRequest;
    private final BodyBudget budget;
    private final Result result = new Result();

    /** Neighbours in the executor's list of attempts under way; the executor's alone. */
    HttpAttempt previous;

    HttpAttempt next;

    private Timeout timeout;
    private ListenableFuture<Void> call;
    private int tries;
    private boolean done;

    private AttemptPhase phase = AttemptPhase.STARTING;
    private boolean pooled;
    private boolean sent;
    /** Whether what was written last asks a proxy for a tunnel, and not the target for an answer. */
    private boolean tunnelling;

    /** Where this may open a connection now; null: nowhere. */
    private InetSocketAddress turn;

    private long phaseStart;
    private long dnsNanos;
    private long connectNanos;
    private long tlsNanos;
    private long firstByteNanos;

    private int status;
    private List<Header> headers = List.of();
    private long announcedLength = -1;
    private BodyCollector body;
    /** How the body is compressed; null if it is kept as it comes. */
    private ContentCoding coding;

    private BodyDecompressor decompressor;
    private boolean truncated;
    private boolean tooLarge;
    private boolean refusedByBudget;
    private boolean broken;

    HttpAttempt(
            AsyncHttpExecutor executor,
            HttpRequest request,
            TargetRoute place,
            Request wireRequest,
            BodyBudget budget) {
        this.executor = executor;
        this.request = request;
        this.place = place;
        this.wireRequest = wireRequest;
        this.budget = budget;
    }

    CompletableFuture<HttpResult> start(long timeoutNanos) {
        timeout = executor.timer().newTimeout(this, timeoutNanos, TimeUnit.NANOSECONDS);
        try {
            if (place.client().proxied()) {
                enter(AttemptPhase.RESOLVING);
                executor.addressChecker().check(place.origin(), this::judged);
            } else {
                send();
            }
        } catch (Throwable bug) {
            onThrowable(bug);
        }
        return result;
    }

    /** Whom a proxy dials the client never resolves, so the policy is asked before it is called. */
    private void judged(boolean allowed) {
        if (done) {
            return;
        }
        if (allowed) {
            sendOrFail();
        } else {
            fail(ErrorCode.ADDRESS_NOT_ALLOWED, ErrorCode.ADDRESS_NOT_ALLOWED.description());
        }
    }

    /** Calls {@link #send} and ends the attempt with any exception, which the caller would lose. */
    private void sendOrFail() {
        try {
            send();
        } catch (Throwable bug) {
            onThrowable(bug);
        }
    }

    private void send() {
        tries++;
        int thisTry = tries;
        ListenableFuture<Void> started = place.client().httpClient().executeRequest(wireRequest, this);
        if (thisTry == tries) {
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
        turn = InetSocketAddress.createUnresolved(name, addresses.get(0).getPort());
        if (done) {
            endTurn();
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
        endTurn();
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
        executor.connectionReleased(connection, place.poolKey());
    }

    @Override
    public void onRequestSend(NettyRequest written) {
        if (tunnelling) {
            tlsNanos = sincePhaseStart(); // The client has no event for a handshake in a tunnel.
        }
        tunnelling = written.getHttpRequest().method().equals(HttpMethod.CONNECT);
        sent = !tunnelling;
        enter(AttemptPhase.CONNECTED);
    }

    @Override
    public State onStatusReceived(HttpResponseStatus received) {
        firstByteNanos = sincePhaseStart();
        status = received.getStatusCode();
        if (status < LEAST_STATUS || status > GREATEST_STATUS) {
            fail(ErrorCode.PROTOCOL_ERROR, "the target answered " + status + ", which is not a valid status");
            return State.ABORT;
        }
        boolean wantsLogin =
                status == PROXY_AUTHENTICATION_REQUIRED && place.client().proxied();
        if (tunnelling || (wantsLogin && !place.origin().isSecure())) {
            sent = false;
            fail(ErrorCode.PROXY_FAILED, "the proxy answered " + status);
            return State.ABORT;
        }
        return State.CONTINUE;
    }

    @Override
    public State onHeadersReceived(HttpHeaders received) {
        if (received.size() > executor.maxResponseHeaderCount()) {
            fail(
                    ErrorCode.PROTOCOL_ERROR,
                    "the answer has more than " + executor.maxResponseHeaderCount() + " headers");
            return State.ABORT;
        }
        String transferCoding = received.get(HttpHeaderNames.TRANSFER_ENCODING);
        if (transferCoding != null && !isSupported(transferCoding)) {
            fail(ErrorCode.PROTOCOL_ERROR, "the answer has a Transfer-Encoding that was not asked for");
            return State.ABORT;
        }
        headers = executor.headerReader().read(received);
        announcedLength = length(received.get(HttpHeaderNames.CONTENT_LENGTH));
        coding = ContentCoding.of(status, received);
        return State.CONTINUE;
    }

    /** Returns whether the body has no other coding, which would stay in it after its hop-by-hop header is dropped. */
    private static boolean isSupported(String transferCoding) {
        return transferCoding.equalsIgnoreCase("chunked") || transferCoding.equalsIgnoreCase("identity");
    }

    @Override
    public State onTrailingHeadersReceived(HttpHeaders trailers) {
        return State.CONTINUE;
    }

    @Override
    public State onBodyPartReceived(HttpResponseBodyPart part) {
        if (done || part.length() == 0) {
            return done ? State.ABORT : State.CONTINUE;
        }
        if (body == null) {
            body = new BodyCollector(executor.maxResponseBody(), budget, coding == null ? announcedLength : -1);
            if (coding != null) {
                decompress();
            }
        }
        ByteBuf bytes = part.getBodyByteBuf();
        return switch (decompressor == null ? body.append(bytes) : decompressor.append(bytes)) {
            case APPENDED -> State.CONTINUE;
            case TRUNCATED -> {
                truncated = true;
                tooLarge = executor.failsOnLargeBody();
                yield State.ABORT;
            }
            case OVER_BUDGET -> {
                refusedByBudget = true;
                yield State.ABORT;
            }
            case CORRUPT -> {
                broken = true;
                yield State.ABORT;
            }
        };
    }

    /** Only for an answer with a body: the headers of an answer to HEAD describe a body that is not there. */
    private void decompress() {
        decompressor = new BodyDecompressor(coding, body, executor.maxResponseBody());
        headers.removeIf(header ->
                header.name().equals("content-encoding") || header.name().equals("content-length"));
    }

    /** Comes after an abort too; then what was kept is the answer. */
    @Override
    public Void onCompleted() {
        if (refusedByBudget) {
            fail(ErrorCode.OUT_OF_MEMORY_BUDGET, ErrorCode.OUT_OF_MEMORY_BUDGET.description());
        } else if (tooLarge) {
            fail(ErrorCode.RESPONSE_TOO_LARGE, ErrorCode.RESPONSE_TOO_LARGE.description());
        } else if (broken || (decompressor != null && !truncated && !decompressor.finish())) {
            fail(ErrorCode.PROTOCOL_ERROR, "the answer's body is broken or incomplete " + coding.wireName());
        } else {
            byte[] bytes = body == null ? BodyCollector.EMPTY : body.toArray();
            finish(new HttpResult.Response(status, headers, bytes, truncated, timing()));
        }
        return null;
    }

    @Override
    public void onThrowable(Throwable thrown) {
        if (done) {
            return;
        }
        ErrorCode code = tunnelling
                ? FailureClassifier.classifyTunnelFailure(thrown)
                : FailureClassifier.classify(phase, thrown);
        if (wasStale(thrown) && !executor.isClosed()) {
            LOG.debug("an idle connection to {} had been closed", request.url().destination());
            retryOnce();
            return;
        }
        if (code == ErrorCode.PROXY_FAILED) {
            sent = false; // What was written waits behind the proxy's consent.
        }
        if (code == ErrorCode.INTERNAL) {
            LOG.error("a call to {} failed by a defect", request.url().destination(), thrown);
        }
        fail(code, code.description());
    }

    /**
     * Whether a connection that had been kept idle was closed before it could be used. The target may close it at any time
     * (RFC 9112, section 9.3.1), which says nothing about the call; but only a call that may be made twice, or surely was
     * not made, is made again.
     */
    private boolean wasStale(Throwable thrown) {
        return tries == 1
                && pooled
                && status == 0
                && (request.isIdempotent() || !sent)
                && !FailureClassifier.isClosedDuringResponse(thrown)
                && FailureClassifier.classify(phase, thrown) == ErrorCode.CONNECTION_CLOSED;
    }

    /** On a new connection: where one idle connection was dead, the others to the same place may be too. */
    private void retryOnce() {
        phase = AttemptPhase.STARTING;
        pooled = false;
        sent = false;
        tunnelling = false;
        executor.closeIdleConnections(place.poolKey());
        sendOrFail();
    }

    /** The timer's call. */
    @Override
    public void run(Timeout expired) {
        executor.executeOnLoop(this);
    }

    /** The hard end of the attempt. */
    @Override
    public void run() {
        if (!done) {
            boolean noConnection = phase.isBeforeConnection();
            fail(
                    noConnection ? ErrorCode.CONNECT_TIMEOUT : ErrorCode.TIMEOUT,
                    noConnection ? "no connection within the attempt's timeout" : ErrorCode.TIMEOUT.description());
        }
    }

    /** Ends the attempt, and with it its connection if it has one. */
    void fail(ErrorCode code, String message) {
        finish(new HttpResult.Failure(code, message, sent ? SentStatus.MAYBE : SentStatus.NO, timing()));
    }

    private void finish(HttpResult outcome) {
        if (!done) {
            end();
            result.complete(outcome);
        }
    }

    private void end() {
        done = true;
        timeout.cancel();
        endTurn();
        executor.removeAttempt(this);
        if (decompressor != null) {
            decompressor.close();
        }
        if (call != null && !call.isDone()) {
            call.cancel(true);
        }
    }

    private void endTurn() {
        if (turn != null) {
            executor.connectThrottle().release(turn);
            turn = null;
        }
    }

    private void enter(AttemptPhase entered) {
        phase = entered;
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

    private static long length(String announced) {
        if (announced == null || announced.length() > 10) {
            return -1;
        }
        try {
            return Long.parseLong(announced);
        } catch (NumberFormatException nonsense) {
            return -1;
        }
    }

    /** Cancelled by who has no use for it any more, it ends the attempt. */
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
