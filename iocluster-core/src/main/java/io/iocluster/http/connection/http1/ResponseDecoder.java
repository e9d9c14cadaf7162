package io.iocluster.http.connection.http1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpStatusClass;
import java.util.List;

/** Decodes the responses of one connection. Knows the request, because a response to HEAD has no body. */
final class ResponseDecoder extends HttpResponseDecoder {

    private boolean head;
    private boolean received;

    ResponseDecoder(HttpDecoderConfig config) {
        super(config);
    }

    /** Called before a request is sent. */
    void expectResponse(boolean toHead) {
        head = toHead;
        received = false;
    }

    /** Returns whether a byte has arrived since the request. */
    boolean hasReceived() {
        return received;
    }

    /** Returns whether bytes have arrived that belong to no message yet. */
    boolean hasUnread() {
        return actualReadableBytes() > 0;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out) throws Exception {
        received = true;
        super.decode(ctx, buffer, out);
    }

    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage message) {
        boolean isFinal = message instanceof HttpResponse response
                && response.status().codeClass() != HttpStatusClass.INFORMATIONAL;
        return (head && isFinal) || super.isContentAlwaysEmpty(message);
    }
}
