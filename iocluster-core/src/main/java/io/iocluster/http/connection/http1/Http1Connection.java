package io.iocluster.http.connection.http1;

import io.iocluster.http.Certainty;
import io.iocluster.http.connection.Exchange;
import io.iocluster.http.connection.ExchangeFailure;
import io.iocluster.http.connection.ExchangeFailure.NextTry;
import io.iocluster.http.connection.ExchangeListener;
import io.iocluster.http.connection.HttpConnection;
import io.iocluster.http.connection.ProtocolViolationException;
import io.iocluster.http.connection.WireRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.ReadOnlyHttpHeaders;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;

/**
 * An HTTP/1.1 connection, which carries one exchange at a time. Confined to its event loop.
 *
 * <p>An exchange ends when all bytes that have arrived are decoded, not with the last byte of its response. Otherwise bytes after the
 * response would become the response to the next request.
 *
 * <p>The connection is used again only if the response allows it and nothing of either message is left (RFC 9112, sections 9.3 and 9.6): no
 * byte of the request is unwritten or perhaps unread by the target, and no byte follows the response.
 */
public final class Http1Connection extends HttpConnection implements Exchange {

    /**
     * A target may answer with an error before it has read a larger body. Some targets then read and drop everything that follows,
     * including the next request (nginx: {@code lingering_close}). They read up to 64 KiB at once. The buffers of both kernels hide this
     * from the node.
     */
    private static final int MAX_BODY_READ_AT_ONCE = 64 * 1024;

    /**
     * Size of the parts in which a larger body is written. The transport copies each part into memory outside the heap, and keeps the copy until
     * the target has read it.
     */
    private static final int BODY_PART_BYTES = 64 * 1024;

    private final LongSupplier clock;
    private final Http1Settings settings;
    private final ResponseDecoder decoder;
    private final boolean secure;

    /** The listener of the open exchange; null if none is open. */
    private ExchangeListener listener;

    private boolean reused;
    private int started;
    private boolean skippingInterim;
    /** Whether the request is so large that the target may not have read all of it when it answers. */
    private boolean largeRequest;
    /** The body of which parts are not written yet; null if there is none. */
    private byte[] unwrittenBody;

    private int writtenBytes;
    /** The status of the final response, 0 before it arrives. */
    private int status;

    /** Whether the body has neither a length nor chunks, so that the end of the connection ends it. */
    private boolean endsWithConnection;

    /** Whether the whole response has arrived. */
    private boolean complete;

    private boolean keepAlive;
    /** Whether bytes arrived that belong to no exchange. */
    private boolean unexpectedBytes;

    private boolean closeNotified;
    /** Why a read or a write failed; null if none has failed. */
    private Throwable broken;

    private boolean closed;

    private Http1Connection(Channel channel, Http1Settings settings, LongSupplier clock) {
        super(channel, clock.getAsLong());
        this.clock = clock;
        this.settings = settings;
        this.decoder = new ResponseDecoder(settings.newDecoderConfig());
        this.secure = channel.pipeline().get(SslHandler.class) != null;
    }

    /** Adds the HTTP handlers to an open channel. The channel must not close itself when a write fails. */
    public static Http1Connection open(Channel channel, Http1Settings settings, LongSupplier clock) {
        Http1Connection connection = new Http1Connection(channel, settings, clock);
        channel.pipeline().addLast(connection.decoder, new HttpRequestEncoder(), connection.new Handler());
        return connection;
    }

    @Override
    public boolean isMultiplexed() {
        return false;
    }

    @Override
    public int openExchanges() {
        return listener == null ? 0 : 1;
    }

    @Override
    public int startedExchanges() {
        return started;
    }

    @Override
    public boolean hasFreeStream() {
        return listener == null;
    }

    @Override
    public Exchange start(WireRequest request, ExchangeListener newListener) {
        reused = started > 0;
        started++;
        listener = newListener;
        skippingInterim = false;
        largeRequest = request.body() != null && request.body().length > MAX_BODY_READ_AT_ONCE;
        status = 0;
        endsWithConnection = false;
        complete = false;
        keepAlive = false;
        clearExpiry();
        decoder.expectResponse(request.method());
        write(request);
        return listener == null ? null : this;
    }

    /** Writes the request, or its head and a part of its body. A write that fails is reported to exceptionCaught. */
    private void write(WireRequest request) {
        HttpHeaders headers = new ReadOnlyHttpHeaders(false, request.lines());
        byte[] body = request.body();
        if (body == null || body.length <= BODY_PART_BYTES) {
            HttpRequest whole = new DefaultFullHttpRequest(
                    HttpVersion.HTTP_1_1,
                    request.method(),
                    request.uri(),
                    body == null ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body),
                    headers,
                    EmptyHttpHeaders.INSTANCE);
            channel().writeAndFlush(whole, channel().voidPromise());
            return;
        }
        unwrittenBody = body;
        writtenBytes = 0;
        HttpRequest head = new DefaultHttpRequest(HttpVersion.HTTP_1_1, request.method(), request.uri(), headers);
        channel().write(head, channel().voidPromise());
        writeBody();
    }

    /** Writes the next parts of the body, as many as the channel takes. */
    private void writeBody() {
        while (unwrittenBody != null
                && listener != null
                && broken == null
                && channel().isWritable()) {
            int size = Math.min(BODY_PART_BYTES, unwrittenBody.length - writtenBytes);
            ByteBuf part = Unpooled.wrappedBuffer(unwrittenBody, writtenBytes, size);
            writtenBytes += size;
            boolean last = writtenBytes == unwrittenBody.length;
            unwrittenBody = last ? null : unwrittenBody;
            channel()
                    .write(
                            last ? new DefaultLastHttpContent(part) : new DefaultHttpContent(part),
                            channel().voidPromise());
        }
        channel().flush();
    }

    @Override
    public void cancel() {
        if (listener != null) {
            listener = null;
            complete = false;
            close();
        }
    }

    private Certainty certainty() {
        return status == 0 ? Certainty.UNKNOWN : Certainty.ANSWERED_IN_PART;
    }

    private void fail(ExchangeFailure failure) {
        ExchangeListener failed = listener;
        listener = null;
        close();
        if (failed != null) {
            failed.onFailure(failure);
        }
    }

    private void failAsClosed() {
        boolean stale = reused && !decoder.hasReceived();
        fail(ExchangeFailure.closed(certainty(), stale ? NextTry.NEW_CONNECTION : NextTry.ANY_CONNECTION));
    }

    /** Ends a complete exchange when everything that has arrived is decoded. */
    private void endExchange() {
        complete = false;
        ExchangeListener ended = listener;
        listener = null;
        if (isReusable()) {
            owner().onChange();
        } else {
            close();
        }
        ended.onEnd();
    }

    private boolean isReusable() {
        return keepAlive
                && !endsWithConnection
                && !unexpectedBytes
                && broken == null
                && !isDraining()
                && channel().isActive()
                && isRequestWritten()
                && !(largeRequest && status >= HttpResponseStatus.BAD_REQUEST.code());
    }

    /** Returns whether the kernel has the whole request. A target may answer before it has read it. */
    private boolean isRequestWritten() {
        ChannelOutboundBuffer unwritten = channel().unsafe().outboundBuffer();
        return unwrittenBody == null && unwritten != null && unwritten.totalPendingWriteBytes() == 0;
    }

    /** Receives what the decoder produces. */
    private final class Handler extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try {
                if (listener == null || complete) {
                    unexpectedBytes = true;
                    close();
                } else if (message instanceof HttpObject part) {
                    receive(part);
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        private void receive(HttpObject part) {
            if (part.decoderResult().isFailure()) {
                receiveInvalid(part);
                return;
            }
            if (part instanceof HttpResponse head && !receiveHead(head)) {
                return;
            }
            if (part instanceof HttpContent content) {
                receiveContent(content);
            }
        }

        private void receiveInvalid(HttpObject part) {
            Throwable cause = part.decoderResult().cause();
            if (cause instanceof PrematureChannelClosureException) {
                if (part instanceof HttpResponse head && head.status().code() >= 200) {
                    status = head.status().code();
                }
                failAsClosed();
            } else if (cause instanceof TooLongFrameException && status == 0) {
                fail(ExchangeFailure.protocolError(settings.headTooLong(), Certainty.ANSWERED_IN_PART));
            } else {
                fail(ExchangeFailure.of(
                        new ProtocolViolationException(
                                "the target's bytes are not a valid HTTP response: " + cause.getMessage()),
                        certainty()));
            }
        }

        /** Returns false if the exchange has ended. */
        private boolean receiveHead(HttpResponse head) {
            int code = head.status().code();
            if (head.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
                fail(ExchangeFailure.protocolError(
                        "the target switched protocols without an Upgrade request", certainty()));
                return false;
            }
            if (head.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
                skippingInterim = true;
                return true;
            }
            status = code;
            keepAlive = HttpUtil.isKeepAlive(head) && settings.keepAlive();
            endsWithConnection = endsWithConnection(head);
            readKeepAlive(head);
            return continueIf(listener.onHead(code, head.headers()));
        }

        private boolean endsWithConnection(HttpResponse head) {
            return !decoder.isContentAlwaysEmpty(head)
                    && !HttpUtil.isTransferEncodingChunked(head)
                    && !HttpUtil.isContentLengthSet(head);
        }

        private void readKeepAlive(HttpResponse head) {
            String announced = head.headers().get(HttpHeaderNames.KEEP_ALIVE);
            if (announced != null) {
                long nanos = KeepAliveHeader.usableNanos(announced);
                if (nanos >= 0) {
                    expireAt(clock.getAsLong() + nanos);
                }
            }
        }

        private void receiveContent(HttpContent content) {
            boolean isLast = content instanceof LastHttpContent;
            if (skippingInterim) {
                skippingInterim = !isLast;
                return;
            }
            if (content.content().isReadable() && !continueIf(listener.onBody(content.content()))) {
                return;
            }
            if (isLast) {
                if (endsWithConnection && isCutOff()) {
                    failAsClosed();
                } else {
                    complete = true;
                }
            }
        }

        /** Returns whether the end of the connection may have cut off the body (RFC 9112, section 9.8). */
        private boolean isCutOff() {
            return broken != null || (secure && !closeNotified);
        }

        /** Cancels the exchange if its listener needs no further part. Returns whether the exchange continues. */
        private boolean continueIf(boolean needsMore) {
            if (!needsMore) {
                cancel();
            }
            return needsMore;
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            if (unwrittenBody != null && ctx.channel().isWritable()) {
                writeBody();
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            if (complete) {
                endExchange();
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof SslCloseCompletionEvent closing && closing.isSuccess()) {
                closeNotified = true;
                // Nothing more arrives, although the TCP connection may stay open.
                ctx.close();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            closed = true;
            if (complete) {
                endExchange();
            } else if (listener != null) {
                failAsClosed();
            }
            owner().onClosed();
        }

        /**
         * An I/O error ends the exchange only when nothing more can be read, because a target may answer and close the connection while the
         * request is being written.
         */
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable thrown) {
            boolean connectionBroke = thrown instanceof IOException && !(thrown instanceof SSLException);
            if (connectionBroke && listener != null && !closed) {
                // A ClosedChannelException is the node's own close, after the target ended the connection cleanly.
                boolean closedByNode = thrown instanceof ClosedChannelException;
                broken = closedByNode ? broken : thrown;
            } else {
                fail(ExchangeFailure.of(thrown, certainty()));
            }
        }
    }
}
