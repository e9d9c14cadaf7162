package io.iocluster.http.client.http2;

import io.iocluster.log.LogThrottle;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Guards the HTTP/2 connections of one executor. Confined to its event loop. */
public final class Http2Guard {

    private static final Logger LOG = LoggerFactory.getLogger(Http2Guard.class);

    private final LongSupplier clock;
    private final LogThrottle errors;

    /**
     * Creates a guard.
     *
     * @param clock returns nanoseconds, as {@link System#nanoTime} does
     */
    public Http2Guard(LongSupplier clock) {
        this.clock = clock;
        this.errors = new LogThrottle(clock.getAsLong());
    }

    /**
     * Limits the frames of a connection if its TLS handshake chose HTTP/2. Must be called before the first byte after the handshake is
     * read, because frames can only be counted from the first one on.
     *
     * @param ctx the limit is added directly after this handler, which must be between TLS and the codec
     */
    public void limitFrames(ChannelHandlerContext ctx) {
        SslHandler tls = ctx.pipeline().get(SslHandler.class);
        if (tls != null && ApplicationProtocolNames.HTTP_2.equals(tls.applicationProtocol())) {
            ctx.pipeline().addAfter(ctx.name(), null, new FrameLimitHandler(clock));
        }
    }

    /** Handles the errors of a connection. Does nothing if the client has not added its HTTP/2 handlers or this was called before. */
    public void handleErrors(ChannelPipeline pipeline) {
        if (pipeline.get(Http2MultiplexHandler.class) != null && pipeline.get(ConnectionErrorHandler.class) == null) {
            pipeline.addLast(new ConnectionErrorHandler(this));
        }
    }

    /** Logs at most one error in ten seconds, without its stack trace, because a target can cause any number of them. */
    void logError(ChannelHandlerContext ctx, Throwable error) {
        long suppressed = errors.pollSuppressed(clock.getAsLong());
        if (suppressed != LogThrottle.NOT_DUE) {
            LOG.warn(
                    "HTTP/2 connection failed; its calls fail address={} error=\"{}\" suppressed={}",
                    ctx.channel().remoteAddress(),
                    error,
                    suppressed);
        }
    }

    /** Returns how many calls a connection has carried as HTTP/2 streams. */
    public static int startedStreams(ChannelPipeline pipeline) {
        Http2FrameCodec codec = pipeline.get(Http2FrameCodec.class);
        return codec == null ? 0 : FrameLimitHandler.createdStreams(codec.connection());
    }

    /** Returns an error that ends all calls of an HTTP/2 connection, because its target sends too much without content. */
    public static Http2Exception excessError(String problem) {
        return Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, problem);
    }

    /** Returns the handler of the client that the streams of a connection belong to. */
    static ChannelHandlerContext codec(ChannelPipeline pipeline) {
        return pipeline.context(Http2FrameCodec.class);
    }
}
