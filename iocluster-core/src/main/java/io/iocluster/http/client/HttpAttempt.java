package io.iocluster.http.client;

import io.iocluster.http.BodyBudget;
import io.iocluster.http.Certainty;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.client.ResponseCollector.Problem;
import io.iocluster.http.client.RouteTable.TargetRoute;
import io.iocluster.http.connect.Dial;
import io.iocluster.http.connect.DialFailure;
import io.iocluster.http.connection.Exchange;
import io.iocluster.http.connection.ExchangeFailure;
import io.iocluster.http.connection.ExchangeFailure.NextTry;
import io.iocluster.http.connection.ExchangeListener;
import io.iocluster.http.connection.HttpConnection;
import io.iocluster.http.connection.WireRequest;
import io.iocluster.http.pool.Acquisition;
import io.iocluster.http.pool.ConnectionWaiter;
import io.iocluster.http.timeout.TimeoutWheel;
import io.iocluster.message.ErrorCode;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One open attempt: gets a connection, starts an exchange on it, and completes exactly one result. Confined to the executor's event loop.
 *
 * <p>The attempt sends the request again if the target has certainly not processed it. It also sends an idempotent request again if a reused
 * connection ended before any byte of a response arrived.
 */
final class HttpAttempt extends TimeoutWheel.Entry<HttpAttempt> implements ConnectionWaiter, ExchangeListener {

    private static final int PROXY_AUTHENTICATION_REQUIRED = 407;

    /**
     * Maximum times that one attempt repeats a request that the target did not process. Repeats after {@linkplain NextTry#AFTER_OTHERS other
     * requests} do not count. The target has to accept another request before each of them, so it cannot ask for them for ever.
     */
    private static final int MAX_REPEATS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(HttpAttempt.class);

    private final NettyHttpExecutor executor;
    private final HttpRequest request;
    private final TargetRoute route;
    private final WireRequest wireRequest;
    private final ResponseCollector response;
    private final Result result = new Result();

    private Acquisition acquisition;
    private Exchange exchange;
    /** How the connection in use was opened; null if it was open before. */
    private Dial dial;

    private int repeats;
    private boolean repeatedOnNewConnection;
    private boolean http1Only;
    private boolean exchanging;
    private boolean done;

    /** The most that the target may have done with earlier tries of this attempt. */
    private Certainty earlier = Certainty.NOT_SENT;

    private long startNanos;
    private long sentNanos;
    private long firstByteNanos;

    HttpAttempt(
            NettyHttpExecutor executor,
            HttpRequest request,
            TargetRoute route,
            WireRequest wireRequest,
            BodyBudget budget) {
        this.executor = executor;
        this.request = request;
        this.route = route;
        this.wireRequest = wireRequest;
        this.response = new ResponseCollector(executor, budget);
    }

    CompletableFuture<HttpResult> start(long attemptStartNanos, long timeoutNanos) {
        startNanos = attemptStartNanos;
        executor.openAttempts().add(this, attemptStartNanos, timeoutNanos);
        try {
            if (route.target().profile().isProxied()) {
                executor.addressChecker().check(route.origin(), this::onTargetChecked);
            } else {
                acquire();
            }
        } catch (Throwable bug) {
            failInternally(bug);
        }
        return result;
    }

    /** Receives the policy's decision about the target's addresses, which the node checks before a proxy sees the call. */
    private void onTargetChecked(boolean allowed) {
        if (done) {
            return;
        }
        if (allowed) {
            acquireUnlessDone();
        } else {
            fail(ErrorCode.ADDRESS_NOT_ALLOWED, ErrorCode.ADDRESS_NOT_ALLOWED.description(), earlier);
        }
    }

    private void acquireUnlessDone() {
        if (!done) {
            try {
                acquire();
            } catch (Throwable bug) {
                failInternally(bug);
            }
        }
    }

    private void acquire() {
        Acquisition waiting = executor.connections().acquire(route.target(), http1Only, !request.isIdempotent(), this);
        if (waiting != null && !waiting.isDone()) {
            acquisition = waiting;
        }
    }

    @Override
    public void onConnection(HttpConnection connection, Dial openedBy) {
        acquisition = null;
        dial = openedBy;
        exchanging = true;
        sentNanos = executor.clock().nanos();
        Exchange started = connection.start(wireRequest, this);
        if (started != null && exchanging) {
            exchange = started;
        }
    }

    @Override
    public void onDialFailure(DialFailure failure, Dial failed) {
        acquisition = null;
        dial = failed;
        if (failure.code() == ErrorCode.INTERNAL) {
            logDefect(failure.cause());
        }
        fail(failure.code(), failure.message(), earlier);
    }

    @Override
    public boolean onHead(int status, HttpHeaders headers) {
        firstByteNanos = executor.clock().nanos() - sentNanos;
        if (status == PROXY_AUTHENTICATION_REQUIRED && route.target().sendsRequestsToProxy()) {
            // The target may have processed the request and have sent this status, which the proxy would pass on.
            fail(ErrorCode.PROXY_FAILED, "the proxy returned status " + status, Certainty.UNKNOWN);
            return false;
        }
        Problem problem = response.setStatus(status);
        problem = problem == null ? response.setHeaders(headers) : problem;
        if (problem != null) {
            fail(problem.code(), problem.message(), Certainty.ANSWERED_IN_PART);
        }
        return problem == null;
    }

    @Override
    public boolean onBody(ByteBuf part) {
        boolean needsMore = response.append(part);
        if (!needsMore) {
            finishResponse();
        }
        return needsMore;
    }

    @Override
    public void onEnd() {
        exchanging = false;
        exchange = null;
        finishResponse();
    }

    /** Ends the attempt with what was stored, which may be less than the target sent. */
    private void finishResponse() {
        if (done) {
            return;
        }
        Problem problem = response.finish();
        if (problem == null) {
            finish(response.toResponse(timing()));
        } else {
            fail(problem.code(), problem.message(), Certainty.ANSWERED_IN_PART);
        }
    }

    @Override
    public void onFailure(ExchangeFailure failure) {
        exchanging = false;
        exchange = null;
        if (done) {
            return;
        }
        Certainty certainty = failure.certainty();
        if (!executor.isClosed() && mayRepeat(failure)) {
            LOG.debug(
                    "Connection or stream ended; sending the request again destination={} certainty={}",
                    request.url().destination(),
                    certainty);
            earlier = max(earlier, certainty);
            acquireUnlessDone();
            return;
        }
        if (failure.code() == ErrorCode.INTERNAL) {
            logDefect(failure.cause());
        }
        fail(failure.code(), failure.message(), certainty);
    }

    private boolean mayRepeat(ExchangeFailure failure) {
        if (failure.code() != ErrorCode.CONNECTION_CLOSED) {
            return false;
        }
        if (failure.certainty().isUnprocessed()) {
            http1Only |= failure.next() == NextTry.HTTP_1;
            return failure.next() == NextTry.AFTER_OTHERS || ++repeats <= MAX_REPEATS;
        }
        if (failure.next() == NextTry.NEW_CONNECTION && request.isIdempotent() && !repeatedOnNewConnection) {
            repeatedOnNewConnection = true;
            // The target may have closed its other idle connections too.
            executor.connections().closeIdle(route.target().key());
            return true;
        }
        return false;
    }

    @Override
    protected void timeOut() {
        if (done) {
            return;
        }
        Certainty certainty = exchanging ? inExchange() : earlier;
        if (isBeforeConnection()) {
            fail(ErrorCode.CONNECT_TIMEOUT, "no connection within the attempt's timeout", certainty);
        } else if (!exchanging && acquisition != null && acquisition.isWaitingForStream()) {
            fail(ErrorCode.TIMEOUT, "no free stream on the HTTP/2 connection within the attempt's timeout", certainty);
        } else {
            fail(ErrorCode.TIMEOUT, ErrorCode.TIMEOUT.description(), certainty);
        }
    }

    private Certainty inExchange() {
        return response.hasStatus() ? Certainty.ANSWERED_IN_PART : Certainty.UNKNOWN;
    }

    private boolean isBeforeConnection() {
        if (exchanging) {
            return false;
        }
        if (acquisition == null) {
            return true;
        }
        Dial waitingFor = acquisition.dial();
        return waitingFor != null && waitingFor.phase().compareTo(Dial.Phase.TUNNEL) < 0;
    }

    /** Ends the attempt because the executor closes. */
    void close() {
        fail(ErrorCode.CONNECTION_CLOSED, "the executor was closed", exchanging ? inExchange() : earlier);
    }

    private void failInternally(Throwable bug) {
        logDefect(bug);
        fail(ErrorCode.INTERNAL, ErrorCode.INTERNAL.description(), exchanging ? inExchange() : earlier);
    }

    private void logDefect(Throwable bug) {
        LOG.error(
                "Attempt failed because of a defect destination={}",
                request.url().destination(),
                bug);
    }

    private void fail(ErrorCode code, String message, Certainty certainty) {
        finish(new HttpResult.Failure(code, message, max(earlier, certainty), timing()));
    }

    private static Certainty max(Certainty one, Certainty other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private void finish(HttpResult outcome) {
        if (!done) {
            end();
            result.complete(outcome);
        }
    }

    private void end() {
        done = true;
        executor.openAttempts().remove(this);
        response.close();
        if (acquisition != null) {
            acquisition.cancel();
            acquisition = null;
        }
        if (exchange != null) {
            exchange.cancel();
            exchange = null;
        }
    }

    private AttemptTiming timing() {
        Dial last = dial == null && acquisition != null ? acquisition.dial() : dial;
        return last == null
                ? new AttemptTiming(0, 0, 0, firstByteNanos / 1_000_000)
                : last.timing(startNanos, firstByteNanos);
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
