package io.iocluster.http.connection.http2;

import io.iocluster.http.Certainty;
import io.iocluster.http.connection.Exchange;
import io.iocluster.http.connection.ExchangeFailure;
import io.iocluster.http.connection.ExchangeFailure.NextTry;
import io.iocluster.http.connection.ExchangeListener;
import io.iocluster.http.connection.HttpConnection;
import io.iocluster.http.connection.ProtocolViolationException;
import io.iocluster.http.connection.WireRequest;
import io.iocluster.message.ErrorCode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.io.IOException;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP/2 connection (RFC 9113) and the exchanges that share it. Confined to its event loop.
 *
 * <p>A timeout or a cancelled call resets only its own stream; the other exchanges continue. Streams that the target says it did not process
 * (GOAWAY, REFUSED_STREAM) end with {@link Certainty#NOT_PROCESSED}. Requests that start in one iteration of the event loop are flushed
 * together.
 */
public final class Http2Connection extends HttpConnection {

    private static final Logger LOG = LoggerFactory.getLogger(Http2Connection.class);

    /**
     * Flow-control window of a stream in bytes; that of the connection is twice as large. After a reset, a target may still send up to this
     * window.
     */
    private static final int STREAM_WINDOW = 4 * 1024 * 1024;

    private static final int CONNECTION_WINDOW = 2 * STREAM_WINDOW;

    /**
     * The codec decodes headers of up to this multiple of {@code http.max-response-headers}, so that headers over the limit end only their own
     * call. If the encoded headers exceed this size by a quarter, the codec ends the connection. A connection buffers the headers of one
     * response at a time.
     */
    private static final int DECODED_HEADERS = 8;

    /**
     * Resets that the node sends on a connection before it opens the next one. Many targets treat many resets as an attack and close the
     * connection with all its calls: servers on Netty after 200 in 30 seconds. The calls that are open when it drains may be reset as well.
     */
    private static final int RESETS_BEFORE_SUCCESSOR = 100;

    /** Resets after which the connection drains, even if the next one is not open yet. Leaves 50 for the calls that are open. */
    private static final int MAX_RESETS = 150;

    /** The number of a connection's first stream. Netty leaves stream 1 to an upgrade from HTTP/1.1. */
    private static final int FIRST_STREAM = 3;

    /** The target's limit of streams is unknown until its SETTINGS arrive, and it may refuse what exceeds it. */
    private static final int STREAMS_BEFORE_SETTINGS = 1;

    private final LongSupplier clock;
    private final Http2Limits limits;
    private final io.netty.handler.codec.http2.Http2Connection streams;
    private final io.netty.handler.codec.http2.Http2Connection.PropertyKey streamKey;
    private Handler handler;
    private ChannelHandlerContext context;

    private int started;
    private boolean settingsReceived;
    private boolean flushScheduled;
    private int flushes;
    private boolean goAwayReceived;
    private int lastStreamOfGoAway = Integer.MAX_VALUE;
    /** Why the node closes the connection; null if it does not. */
    private Throwable connectionError;

    private int resets;
    /** Streams whose reset waits until the target reads. Each holds its request. */
    private int unwrittenResets;
    /** When the oldest of them was requested, or the last one was written. */
    private long resetProgressNanos;

    private long lastReadNanos;
    private long pingSentNanos;
    private boolean pingOpen;

    private Http2Connection(Channel channel, Http2Limits limits, LongSupplier clock) {
        super(channel, clock.getAsLong());
        this.clock = clock;
        this.limits = limits;
        this.lastReadNanos = openedNanos();
        this.streams = new DefaultHttp2Connection(false, 0);
        this.streamKey = streams.newKey();
        streams.remote()
                .flowController(
                        new DefaultHttp2RemoteFlowController(streams, new UniformStreamByteDistributor(streams)));
        streams.addListener(new StreamListener());
    }

    /**
     * Adds the HTTP/2 handlers to an open channel and sends the connection preface. The channel must not close itself when a write fails,
     * because a GOAWAY may still be unread.
     */
    public static Http2Connection open(Channel channel, Http2Limits limits, LongSupplier clock) {
        Http2Connection connection = new Http2Connection(channel, limits, clock);
        connection.handler = new HandlerBuilder(connection).build();
        channel.pipeline().addLast(new FrameLimitHandler(clock, connection.streams), connection.handler);
        connection.widenWindow();
        return connection;
    }

    private void widenWindow() {
        try {
            Http2Stream whole = streams.connectionStream();
            var window = streams.local().flowController();
            window.incrementWindowSize(whole, CONNECTION_WINDOW - window.windowSize(whole));
        } catch (Http2Exception bug) {
            throw new IllegalStateException(bug);
        }
    }

    @Override
    public boolean isMultiplexed() {
        return true;
    }

    @Override
    public int openExchanges() {
        return streams.local().numActiveStreams();
    }

    @Override
    public int startedExchanges() {
        return started;
    }

    @Override
    public boolean hasFreeStream() {
        return settingsReceived ? streams.local().canOpenStream() : openExchanges() < STREAMS_BEFORE_SETTINGS;
    }

    @Override
    public boolean needsSuccessor() {
        return resets >= RESETS_BEFORE_SUCCESSOR;
    }

    @Override
    public int exchangesBeforeGoAway() {
        if (!goAwayReceived) {
            return 0;
        }
        return lastStreamOfGoAway == Integer.MAX_VALUE ? Integer.MAX_VALUE : Math.max(0, lastStreamOfGoAway - 1) / 2;
    }

    @Override
    public Exchange start(WireRequest request, ExchangeListener listener) {
        int id = streams.local().incrementAndGetNextStreamId();
        Http2Exchange exchange = new Http2Exchange(id, request, listener);
        if (id < 0) {
            // The stream ids of this connection are used up.
            drain();
            exchange.fail(ExchangeFailure.closed(Certainty.NOT_SENT, NextTry.ANY_CONNECTION));
            return null;
        }
        started++;
        boolean hasBody = request.body() != null && request.body().length > 0;
        if (openExchanges() == 0) {
            // The connection was not expected to send anything.
            lastReadNanos = clock.getAsLong();
            pingOpen = false;
        }
        handler.encoder()
                .writeHeaders(context, id, headers(request), 0, !hasBody, context.newPromise())
                .addListener(written -> {
                    if (written.cause() instanceof Http2Exception.HeaderListSizeException tooLarge) {
                        exchange.failUnsent(tooLarge);
                    }
                });
        Http2Stream stream = streams.stream(id);
        if (stream == null) {
            owner().onChange();
            exchange.fail(ExchangeFailure.closed(Certainty.NOT_SENT, NextTry.ANY_CONNECTION));
            return null;
        }
        stream.setProperty(streamKey, exchange);
        if (hasBody) {
            handler.encoder()
                    .writeData(context, id, Unpooled.wrappedBuffer(request.body()), 0, true, context.newPromise());
        }
        scheduleFlush();
        return exchange.ended ? null : exchange;
    }

    private static Http2Headers headers(WireRequest request) {
        CharSequence[] lines = request.lines();
        Http2Headers headers = new DefaultHttp2Headers(false, lines.length);
        headers.method(request.method().asciiName())
                .scheme(request.scheme())
                .authority(request.authority())
                .path(request.path());
        // HTTP/2 sends Host as authority, and no Connection.
        for (int i = WireRequest.FIRST_HTTP2_HEADER; i < lines.length; i += 2) {
            headers.add(HeaderNames.lowerCase(lines[i]), lines[i + 1]);
        }
        return headers;
    }

    private void scheduleFlush() {
        if (!flushScheduled) {
            flushScheduled = true;
            channel().eventLoop().execute(() -> {
                flushScheduled = false;
                handler.flush(context);
            });
        }
    }

    @Override
    public void checkAlive(long nowNanos) {
        long silence = limits.pingTimeout().toNanos();
        if (unwrittenResets > 0 && nowNanos - resetProgressNanos >= silence) {
            LOG.debug("HTTP/2 connection closed because the target does not read address={}", address());
            close();
        } else if (openExchanges() == 0 || nowNanos - lastReadNanos < silence) {
            pingOpen = false;
        } else if (!pingOpen) {
            pingOpen = true;
            pingSentNanos = nowNanos;
            handler.encoder().writePing(context, false, 0, context.newPromise());
            scheduleFlush();
        } else if (nowNanos - pingSentNanos >= silence) {
            LOG.debug("HTTP/2 connection closed because the target did not answer a PING address={}", address());
            close();
        }
    }

    private Object address() {
        return channel().remoteAddress();
    }

    @Override
    public void close() {
        if (context != null && channel().isActive() && !streams.goAwaySent() && connectionError == null) {
            handler.goAway(context, 0, Http2Error.NO_ERROR.code(), Unpooled.EMPTY_BUFFER, context.newPromise());
            handler.flush(context);
        }
        super.close();
    }

    /** Returns the failure of an exchange whose stream was closed without a whole response. */
    private ExchangeFailure failureOf(Http2Exchange exchange) {
        if (exchange.id > lastStreamOfGoAway) {
            boolean afterOthers = lastStreamOfGoAway >= FIRST_STREAM;
            return exchange.notProcessed(afterOthers ? NextTry.AFTER_OTHERS : NextTry.ANY_CONNECTION);
        }
        Certainty certainty = exchange.certainty();
        if (connectionError != null) {
            return ExchangeFailure.of(connectionError, certainty);
        }
        return ExchangeFailure.closed(certainty, exchange.isStale() ? NextTry.NEW_CONNECTION : NextTry.ANY_CONNECTION);
    }

    /** One stream. */
    private final class Http2Exchange implements Exchange {

        private final int id;
        private final boolean reused = started > 0;
        private final HttpMethod method;
        private final int flushesBefore = flushes;
        /** Null after the exchange has ended, because the stream may stay open until the target reads. */
        private ExchangeListener listener;

        private boolean resetRequested;
        private int status;
        private boolean hasInterimResponse;
        /** The size of all headers that have arrived. */
        private long headBytes;

        private boolean excludesBody;
        /** The length of the body as announced; -1 if it is unknown. */
        private long expectedBytes = -1;

        private long receivedBytes;
        private boolean complete;
        private boolean ended;

        private Http2Exchange(int id, WireRequest request, ExchangeListener listener) {
            this.id = id;
            this.method = request.method();
            this.listener = listener;
        }

        /** What an open connection has not flushed yet will be sent, even if the exchange has ended. */
        private Certainty certainty() {
            if (flushes == flushesBefore && !channel().isActive()) {
                return Certainty.NOT_SENT;
            }
            return status == 0 ? Certainty.UNKNOWN : Certainty.ANSWERED_IN_PART;
        }

        /** Returns whether the target may have closed the connection before it could see the request. */
        private boolean isStale() {
            return reused && status == 0 && !hasInterimResponse;
        }

        @Override
        public void cancel() {
            if (!ended) {
                end();
                reset(Http2Error.CANCEL);
                if (!settingsReceived) {
                    drain(); // The target has not shown that it speaks HTTP/2.
                }
            }
        }

        /** Ends the exchange and returns its listener. */
        private ExchangeListener end() {
            ExchangeListener last = listener;
            ended = true;
            listener = null;
            return last;
        }

        private void reset(Http2Error error) {
            if (streams.stream(id) != null && !resetRequested) {
                resetRequested = true;
                if (unwrittenResets++ == 0) {
                    resetProgressNanos = clock.getAsLong();
                }
                handler.encoder().writeRstStream(context, id, error.code(), context.newPromise());
                scheduleFlush();
                if (++resets == RESETS_BEFORE_SUCCESSOR) {
                    owner().onChange();
                } else if (resets == MAX_RESETS) {
                    drain();
                }
            }
        }

        private void receiveHead(Http2Headers headers, boolean endOfStream) {
            if (ended || complete) {
                return;
            }
            long size = ResponseHead.size(headers);
            headBytes += size;
            if (size > limits.maxHeadBytes()) {
                violated(limits.headTooLong());
                return;
            }
            if (headBytes > (long) MAX_HEADS * limits.maxHeadBytes()) {
                violated(TOO_MANY_BYTES_BESIDES_BODY);
                return;
            }
            if (ResponseHead.hasControlCharacter(headers)) {
                violated(ErrorCode.PROTOCOL_ERROR.description()
                        + ": a header has a character that HTTP/2 does not allow there");
                return;
            }
            if (status == 0 && !receiveStatus(headers, endOfStream)) {
                return;
            }
            if (endOfStream) {
                endOfBody();
            }
        }

        /** Returns false if the headers are not those of the final response, or the exchange has ended. */
        private boolean receiveStatus(Http2Headers headers, boolean endOfStream) {
            int code = ResponseHead.status(headers);
            if (code == 101) {
                violated("the target switched protocols without an Upgrade request");
                return false;
            }
            if (HttpStatusClass.INFORMATIONAL.contains(code)) {
                hasInterimResponse = true;
                if (endOfStream) {
                    violated("the response ended with an interim response");
                }
                return false;
            }
            status = code;
            HttpHeaders received = ResponseHead.headers(headers);
            excludesBody = WireRequest.excludesBody(method, code);
            expectedBytes = excludesBody ? -1 : ResponseHead.bodyLength(received);
            return pass(listener.onHead(code, received));
        }

        private void receiveData(ByteBuf data, boolean endOfStream) {
            if (ended || complete) {
                return;
            }
            if (status == 0) {
                violated("the target sent a body before its headers");
                return;
            }
            receivedBytes += data.readableBytes();
            if (!excludesBody && data.isReadable() && !pass(listener.onBody(data))) {
                return;
            }
            if (endOfStream) {
                endOfBody();
            } else if (excludesBody && receivedBytes > (long) MAX_HEADS * limits.maxHeadBytes()) {
                // The response was complete with its head. Without a limit, the target could send for as long as the
                // timeout.
                ExchangeListener last = end();
                reset(Http2Error.CANCEL);
                last.onEnd();
            }
        }

        /** Completes the response, unless its length is not the announced one (RFC 9113, section 8.1.1). */
        private void endOfBody() {
            if (expectedBytes >= 0 && receivedBytes != expectedBytes) {
                violated("the body has " + receivedBytes + " bytes, but its Content-Length is " + expectedBytes);
            } else {
                complete = true;
            }
        }

        private boolean pass(boolean needsMore) {
            if (!needsMore) {
                cancel();
            }
            return needsMore;
        }

        private void receiveReset(long errorCode) {
            if (errorCode == Http2Error.REFUSED_STREAM.code()) {
                fail(notProcessed(NextTry.ANY_CONNECTION));
            } else if (errorCode == Http2Error.HTTP_1_1_REQUIRED.code()) {
                fail(notProcessed(NextTry.HTTP_1));
            } else {
                fail(ExchangeFailure.closed(certainty(), NextTry.ANY_CONNECTION));
            }
        }

        /** Returns the failure if the target says that it did not process the request. Ignores that if the target has responded. */
        private ExchangeFailure notProcessed(NextTry next) {
            boolean responded = status != 0 || hasInterimResponse;
            return ExchangeFailure.closed(responded ? certainty() : Certainty.NOT_PROCESSED, next);
        }

        private void violated(String problem) {
            ExchangeFailure failure = ExchangeFailure.protocolError(problem, certainty());
            reset(Http2Error.PROTOCOL_ERROR);
            fail(failure);
        }

        private void failUnsent(Http2Exception.HeaderListSizeException tooLarge) {
            fail(new ExchangeFailure(
                    ErrorCode.PROTOCOL_ERROR,
                    "the request's headers are larger than the target accepts: " + tooLarge.getMessage(),
                    Certainty.NOT_SENT,
                    tooLarge,
                    NextTry.ANY_CONNECTION));
        }

        private void fail(ExchangeFailure failure) {
            if (!ended) {
                end().onFailure(failure);
            }
        }

        /** Ends an exchange whose whole response has arrived. */
        private void succeed() {
            if (!ended) {
                end().onEnd();
            }
        }

        private void streamClosed() {
            if (resetRequested) {
                unwrittenResets--;
                resetProgressNanos = clock.getAsLong();
            }
            if (complete) {
                succeed();
            } else {
                fail(failureOf(this));
            }
        }
    }

    private Http2Exchange exchange(int streamId) {
        Http2Stream stream = streams.stream(streamId);
        return stream == null ? null : stream.getProperty(streamKey);
    }

    /** Receives the frames. */
    private final class Frames extends Http2FrameAdapter {

        @Override
        public int onDataRead(ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream) {
            int bytes = data.readableBytes() + padding;
            Http2Exchange exchange = exchange(streamId);
            if (exchange != null) {
                exchange.receiveData(data, endOfStream);
            }
            return bytes;
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding, boolean endOfStream) {
            Http2Exchange exchange = exchange(streamId);
            if (exchange != null) {
                exchange.receiveHead(headers, endOfStream);
            }
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext ctx,
                int streamId,
                Http2Headers headers,
                int streamDependency,
                short weight,
                boolean exclusive,
                int padding,
                boolean endOfStream) {
            onHeadersRead(ctx, streamId, headers, padding, endOfStream);
        }

        @Override
        public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) {
            Http2Exchange exchange = exchange(streamId);
            if (exchange != null && !exchange.complete) {
                exchange.receiveReset(errorCode);
            }
        }

        @Override
        public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) {
            settingsReceived = true;
            owner().onChange();
        }

        @Override
        public void onGoAwayRead(ChannelHandlerContext ctx, int lastStreamId, long errorCode, ByteBuf debugData) {
            goAwayReceived = true;
            lastStreamOfGoAway = Math.min(lastStreamOfGoAway, lastStreamId);
            drain();
        }
    }

    /** Ends the exchange when its stream closes, for whatever reason. */
    private final class StreamListener extends Http2ConnectionAdapter {

        /** Stops sending the request if the whole response has arrived before (RFC 9113, section 8.1). */
        @Override
        public void onStreamHalfClosed(Http2Stream stream) {
            Http2Exchange exchange = stream.getProperty(streamKey);
            if (exchange != null && exchange.complete && stream.state() == Http2Stream.State.HALF_CLOSED_REMOTE) {
                exchange.reset(Http2Error.NO_ERROR);
                // Not when the stream is closed, because the target may never read the reset.
                exchange.succeed();
            }
        }

        @Override
        public void onStreamClosed(Http2Stream stream) {
            Http2Exchange exchange = stream.getProperty(streamKey);
            if (exchange == null) {
                return;
            }
            if (isDraining() && openExchanges() == 0) {
                // Later, because the frame that closed the stream is still being handled.
                channel().eventLoop().execute(Http2Connection.this::close);
            } else if (channel().isActive()) {
                owner().onChange();
            }
            exchange.streamClosed();
        }
    }

    private static final class HandlerBuilder extends AbstractHttp2ConnectionHandlerBuilder<Handler, HandlerBuilder> {

        private final Http2Connection owner;

        private HandlerBuilder(Http2Connection owner) {
            this.owner = owner;
        }

        @Override
        protected Handler build() {
            connection(owner.streams);
            frameListener(owner.new Frames());
            initialSettings(Http2Settings.defaultSettings()
                    .pushEnabled(false)
                    // A target that opens streams itself could otherwise keep the connection open for ever.
                    .maxConcurrentStreams(0)
                    .initialWindowSize(STREAM_WINDOW)
                    .maxHeaderListSize((long) DECODED_HEADERS * owner.limits.maxHeadBytes()));
            // FrameLimitHandler counts what the target sends. Netty's limit of two empty frames in a row is for all
            // streams together, so calls of a server that flushes twice would end each other. Netty limits the resets
            // of a server's connection only, and takes this one for a server. The node resets a stream for each call
            // that ends early.
            decoderEnforceMaxConsecutiveEmptyDataFrames(0);
            decoderEnforceMaxRstFramesPerWindow(0, 1);
            encoderEnforceMaxRstFramesPerWindow(0, 1);
            // Http2Connection.close() sends GOAWAY. A connection closes only without open calls or after an error, so
            // there is nothing to wait for.
            decoupleCloseAndGoAway(true);
            gracefulShutdownTimeoutMillis(0);
            return super.build();
        }

        @Override
        protected Handler build(
                Http2ConnectionDecoder strict, Http2ConnectionEncoder encoder, Http2Settings initialSettings) {
            strict.close();
            // The builder's decoder would also validate values. ResponseHead does.
            var heads = new DefaultHttp2HeadersDecoder(true, false, initialSettings.maxHeaderListSize());
            var decoder = new DefaultHttp2ConnectionDecoder(owner.streams, encoder, new DefaultHttp2FrameReader(heads));
            return owner.new Handler(decoder, encoder, initialSettings);
        }
    }

    /** Netty's codec. Reports errors and the end of the connection. */
    private final class Handler extends Http2ConnectionHandler {

        private Handler(Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
            super(decoder, encoder, settings, true);
        }

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
            context = ctx;
            super.handlerAdded(ctx);
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
            lastReadNanos = clock.getAsLong();
            super.channelRead(ctx, message);
        }

        @Override
        public void flush(ChannelHandlerContext ctx) {
            flushes++;
            super.flush(ctx);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) throws Exception {
            try {
                super.channelInactive(ctx);
            } finally {
                owner().onClosed();
            }
        }

        @Override
        protected void onConnectionError(
                ChannelHandlerContext ctx, boolean outbound, Throwable cause, Http2Exception error) {
            if (outbound && isCausedByConnection(cause)) {
                return;
            }
            if (connectionError == null) {
                connectionError = error == null ? cause : error;
                logError(connectionError);
            }
            super.onConnectionError(ctx, outbound, cause, error);
            drain();
        }

        @Override
        protected void onStreamError(
                ChannelHandlerContext ctx, boolean outbound, Throwable cause, Http2Exception.StreamException error) {
            Http2Exchange exchange = exchange(error.streamId());
            if (exchange == null && !outbound && error.error() == Http2Error.STREAM_CLOSED) {
                // The frame was under way when the stream ended (RFC 9113, section 5.1). Netty would reset the stream
                // again for each such frame, and targets close connections with many resets.
                return;
            }
            if (exchange != null && !outbound) {
                exchange.fail(streamFailure(exchange, error));
            }
            super.onStreamError(ctx, outbound, cause, error);
        }

        private ExchangeFailure streamFailure(Http2Exchange exchange, Http2Exception.StreamException error) {
            if (error instanceof Http2Exception.HeaderListSizeException) {
                return ExchangeFailure.protocolError(limits.headTooLong(), exchange.certainty());
            }
            // Netty's message does not say what is wrong.
            if (error.getCause() instanceof IllegalArgumentException) {
                return ExchangeFailure.protocolError(
                        ErrorCode.PROTOCOL_ERROR.description() + ": its Content-Length is not one plain number",
                        exchange.certainty());
            }
            return ExchangeFailure.of(error, exchange.certainty());
        }

        /** Returns whether a write failed because of the connection. The exchanges then end when it closes, because an answer may be unread. */
        private boolean isCausedByConnection(Throwable thrown) {
            for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
                if (cause instanceof IOException) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
            if (event instanceof SslCloseCompletionEvent closing && closing.isSuccess()) {
                // Nothing more arrives, although the TCP connection may stay open.
                Http2Connection.this.close();
            }
            super.userEventTriggered(ctx, event);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable thrown) {
            if (thrown instanceof SSLException || thrown.getCause() instanceof SSLException) {
                connectionError = thrown;
                Http2Connection.this.close();
            } else if (thrown instanceof ProtocolViolationException violation) {
                onError(ctx, false, excessError(violation.getMessage()));
            } else if (!(thrown instanceof IOException)) {
                onError(ctx, false, thrown);
            }
        }
    }

    /** Returns an error that ends all calls on the connection, because its target sends too many frames without content. */
    static Http2Exception excessError(String problem) {
        return Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, problem);
    }

    /** Logs at most one error in ten seconds, without its stack trace, because a target can cause any number of them. */
    private void logError(Throwable error) {
        limits.errors()
                .warn("HTTP/2 connection failed; its calls fail address={} error=\"{}\"", address(), error.toString());
    }
}
