package io.iocluster.http.client;

import io.iocluster.egress.AddressNotAllowedException;
import io.iocluster.message.ErrorCode;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.proxy.ProxyConnectException;
import java.io.IOException;
import java.net.ConnectException;
import javax.net.ssl.SSLException;
import org.asynchttpclient.exception.TooManyConnectionsException;
import org.asynchttpclient.exception.TooManyConnectionsPerHostException;

/** Maps the client's exceptions to error codes, depending on the phase of the attempt. */
final class FailureClassifier {

    private FailureClassifier() {}

    static ErrorCode classify(AttemptPhase phase, Throwable thrown) {
        if (has(thrown, ProxyConnectException.class)) {
            return ErrorCode.PROXY_FAILED;
        }
        return switch (phase) {
            case STARTING -> starting(thrown);
            case RESOLVING ->
                has(thrown, AddressNotAllowedException.class) ? ErrorCode.ADDRESS_NOT_ALLOWED : ErrorCode.DNS_FAILED;
            case CONNECTING -> connecting(thrown);
            case TLS_HANDSHAKE -> ErrorCode.TLS;
            case CONNECTED -> connected(thrown);
        };
    }

    /** Classifies a failure after the tunnel request to a proxy: either the proxy or the target's TLS failed. */
    static ErrorCode classifyTunnelFailure(Throwable thrown) {
        return has(thrown, SSLException.class) ? ErrorCode.TLS : ErrorCode.PROXY_FAILED;
    }

    private static ErrorCode starting(Throwable thrown) {
        boolean noConnection = has(thrown, TooManyConnectionsPerHostException.class)
                || has(thrown, TooManyConnectionsException.class)
                || has(thrown, IOException.class);
        return noConnection ? ErrorCode.CONNECT_FAILED : ErrorCode.INTERNAL;
    }

    private static ErrorCode connecting(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectTimeoutException) {
                return ErrorCode.CONNECT_TIMEOUT;
            }
            if (cause instanceof ConnectException
                    && String.valueOf(cause.getMessage()).contains("refused")) {
                return ErrorCode.CONNECT_REFUSED;
            }
        }
        return ErrorCode.CONNECT_FAILED;
    }

    private static ErrorCode connected(Throwable thrown) {
        if (has(thrown, SSLException.class)) {
            return ErrorCode.TLS;
        }
        if (isClosedDuringResponse(thrown)) {
            return ErrorCode.CONNECTION_CLOSED;
        }
        // The decoders also throw IllegalArgumentException for an invalid version, status or length, and
        // IndexOutOfBoundsException for a chunk size that is not ASCII.
        if (has(thrown, CodecException.class)
                || has(thrown, Http2Exception.class)
                || has(thrown, IllegalArgumentException.class)
                || has(thrown, IndexOutOfBoundsException.class)) {
            return ErrorCode.PROTOCOL_ERROR;
        }
        return has(thrown, IOException.class) ? ErrorCode.CONNECTION_CLOSED : ErrorCode.INTERNAL;
    }

    /** Returns whether the connection was closed after the first bytes of a response. */
    static boolean isClosedDuringResponse(Throwable thrown) {
        return has(thrown, PrematureChannelClosureException.class);
    }

    private static boolean has(Throwable thrown, Class<? extends Throwable> type) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }
}
