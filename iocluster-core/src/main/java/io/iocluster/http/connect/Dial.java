package io.iocluster.http.connect;

import io.iocluster.egress.AddressNotAllowedException;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.ProxySettings;
import io.iocluster.http.connection.TlsOverheadLimit;
import io.iocluster.message.ErrorCode;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.proxy.ProxyHandler;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Opens one connection: permit, lookup, TCP, tunnel and TLS, in this order. Before the permit, it looks up a target behind a SOCKS proxy.
 * Confined to the event loop.
 *
 * <p>The connect timeout of the target limits TCP, and Netty's handshake timeout limits TLS. The attempts that wait for the dial have their
 * timeouts too.
 */
public final class Dial {

    private static final Pattern PROXY_STATUS = Pattern.compile("status: (\\d{3})\\b");

    private final Dialer dialer;
    private final DialTarget target;
    private final boolean http1Only;
    private final DialListener listener;

    private Phase phase = Phase.RESOLVING;
    private long startNanos;
    private long resolvedNanos;
    private long connectedNanos;
    private long securedNanos;

    private boolean hasPermit;
    private boolean done;
    private Future<Channel> connecting;
    private Channel channel;

    Dial(Dialer dialer, DialTarget target, boolean http1Only, DialListener listener) {
        this.dialer = dialer;
        this.target = target;
        this.http1Only = http1Only;
        this.listener = listener;
    }

    /** Phases of a dial in order. The phase in which it fails decides the error code. */
    public enum Phase {
        /** Waits for a connect permit and for the name server. */
        RESOLVING,
        CONNECTING,
        /** Waits for the proxy. */
        TUNNEL,
        TLS,
        CONNECTED
    }

    /** Starts the dial. Its listener may be called before this method returns. */
    public void start() {
        startNanos = dialer.nanoTime();
        if (target.profile().settings().proxy().type() != ProxySettings.Type.SOCKS5) {
            acquirePermit(target.address());
            return;
        }
        // The proxy gets the address that the egress policy checked. This lookup needs no permit, because all targets
        // behind the proxy share its permits, and a target decides how long its name servers take.
        try {
            dialer.resolve(target).addListener((Future<List<InetSocketAddress>> found) -> {
                if (found.isSuccess()) {
                    acquirePermit(found.getNow().get(0));
                } else {
                    fail(found.cause());
                }
            });
        } catch (Throwable bug) {
            fail(bug);
        }
    }

    private void acquirePermit(InetSocketAddress tunnelEnd) {
        if (!done) {
            dialer.throttle().acquire(target.nextHop(), () -> onPermit(tunnelEnd));
        }
    }

    private void onPermit(InetSocketAddress tunnelEnd) {
        if (done) {
            dialer.throttle().release(target.nextHop());
            return;
        }
        hasPermit = true;
        try {
            resolveNextHop(tunnelEnd);
        } catch (Throwable bug) {
            fail(bug);
        }
    }

    private void resolveNextHop(InetSocketAddress tunnelEnd) {
        dialer.resolveNextHop(target).addListener((Future<List<InetSocketAddress>> found) -> {
            if (found.isSuccess()) {
                connect(found.getNow(), tunnelEnd);
            } else {
                fail(found.cause());
            }
        });
    }

    private void connect(List<InetSocketAddress> addresses, InetSocketAddress tunnelEnd) {
        if (done) {
            return;
        }
        resolvedNanos = dialer.nanoTime();
        phase = Phase.CONNECTING;
        try {
            connecting = dialer.connect(target, addresses, tunnelEnd);
        } catch (Throwable bug) {
            fail(bug);
            return;
        }
        connecting.addListener((Future<Channel> connected) -> {
            if (done) {
                if (connected.isSuccess()) {
                    connected.getNow().close();
                }
                return;
            }
            releasePermit();
            if (connected.isSuccess()) {
                onTcpConnected(connected.getNow());
            } else {
                fail(connected.cause());
            }
        });
    }

    private void onTcpConnected(Channel connected) {
        channel = connected;
        connectedNanos = dialer.nanoTime();
        try {
            ProxyHandler tunnel = channel.pipeline().get(ProxyHandler.class);
            if (tunnel == null) {
                secure();
                return;
            }
            phase = Phase.TUNNEL;
            tunnel.connectFuture().addListener((Future<Channel> opened) -> {
                if (opened.isSuccess()) {
                    secure();
                } else {
                    fail(opened.cause());
                }
            });
        } catch (Throwable bug) {
            fail(bug);
        }
    }

    private void secure() {
        if (done) {
            return;
        }
        if (!target.origin().isSecure()) {
            finish(false);
            return;
        }
        phase = Phase.TLS;
        try {
            SslContext context =
                    http1Only ? target.profile().tlsHttp1() : target.profile().tls();
            SslHandler tls = context.newHandler(
                    channel.alloc(), target.origin().host(), target.origin().port());
            CheapKeyExchange.require(tls.engine());
            channel.pipeline().addBefore(channel.pipeline().context(Sink.class).name(), null, tls);
            TlsOverheadLimit.addTo(channel.pipeline());
            tls.handshakeFuture().addListener((Future<Channel> secured) -> {
                if (secured.isSuccess()) {
                    securedNanos = dialer.nanoTime();
                    finish(ApplicationProtocolNames.HTTP_2.equals(tls.applicationProtocol()));
                } else {
                    fail(secured.cause());
                }
            });
        } catch (Throwable bug) {
            fail(bug);
        }
    }

    private void finish(boolean http2) {
        if (done) {
            return;
        }
        phase = Phase.CONNECTED;
        done = true;
        channel.pipeline().remove(Sink.class);
        listener.onConnected(channel, http2);
    }

    private void fail(Throwable cause) {
        if (!done) {
            DialFailure failure = failure(cause);
            end();
            listener.onFailed(failure);
        }
    }

    /** Ends the dial and calls no listener. */
    public void cancel() {
        if (!done) {
            end();
        }
    }

    private void end() {
        done = true;
        releasePermit();
        if (connecting != null) {
            connecting.cancel(false);
        }
        if (channel != null) {
            channel.close();
        }
    }

    private void releasePermit() {
        if (hasPermit) {
            hasPermit = false;
            dialer.throttle().release(target.nextHop());
        }
    }

    /** Returns the current phase. */
    public Phase phase() {
        return phase;
    }

    /**
     * Returns how long each finished phase took.
     *
     * @param sinceNanos when the attempt began to wait, on the dialer's clock; earlier times do not count
     * @param firstByteNanos how long the target took from the request to the first byte of the response
     */
    public AttemptTiming timing(long sinceNanos, long firstByteNanos) {
        return new AttemptTiming(
                millis(sinceNanos, startNanos, resolvedNanos),
                millis(sinceNanos, resolvedNanos, connectedNanos),
                millis(sinceNanos, connectedNanos, securedNanos),
                firstByteNanos / 1_000_000);
    }

    private static long millis(long sinceNanos, long fromNanos, long toNanos) {
        if (toNanos == 0) {
            return 0;
        }
        long from = fromNanos - sinceNanos > 0 ? fromNanos : sinceNanos;
        return Math.max(0, toNanos - from) / 1_000_000;
    }

    private DialFailure failure(Throwable cause) {
        return switch (phase) {
            case RESOLVING ->
                nextHopFailure(
                        cause instanceof AddressNotAllowedException
                                ? ErrorCode.ADDRESS_NOT_ALLOWED
                                : ErrorCode.DNS_FAILED,
                        cause);
            case CONNECTING -> nextHopFailure(connectCode(cause), cause);
            case TUNNEL -> tunnelFailure(cause);
            case TLS -> new DialFailure(ErrorCode.TLS, TlsProblem.of(cause), cause);
            case CONNECTED -> of(ErrorCode.INTERNAL, cause);
        };
    }

    private static ErrorCode connectCode(Throwable thrown) {
        if (thrown instanceof ConnectTimeoutException) {
            return ErrorCode.CONNECT_TIMEOUT;
        }
        boolean refused = thrown instanceof ConnectException
                && String.valueOf(thrown.getMessage()).contains("refused");
        return refused ? ErrorCode.CONNECT_REFUSED : ErrorCode.CONNECT_FAILED;
    }

    private DialFailure nextHopFailure(ErrorCode code, Throwable cause) {
        // A target behind a SOCKS proxy is looked up before the permit.
        boolean ofProxy = target.profile().isProxied() && (hasPermit || phase != Phase.RESOLVING);
        return ofProxy
                ? new DialFailure(ErrorCode.PROXY_FAILED, "no connection to the proxy: " + code.wireName(), cause)
                : of(code, cause);
    }

    private static DialFailure tunnelFailure(Throwable cause) {
        Matcher status = PROXY_STATUS.matcher(String.valueOf(cause.getMessage()));
        return status.find()
                ? new DialFailure(ErrorCode.PROXY_FAILED, "the proxy returned status " + status.group(1), cause)
                : of(ErrorCode.PROXY_FAILED, cause);
    }

    private static DialFailure of(ErrorCode code, Throwable cause) {
        return new DialFailure(code, code.description(), cause);
    }

    /** Drops events of a channel that has no owner yet. Its future reports them. */
    static final class Sink extends ChannelInboundHandlerAdapter {

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable reported) {}
    }
}
