package io.iocluster.http.client.fuzz;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** The server's side of one connection. Confined to the server's event loop. */
abstract class ServerConnection extends ChannelInboundHandlerAdapter {

    final FuzzServer server;
    private SocketChannel channel;
    private byte[] records = {};
    private boolean tls;
    private boolean sniffed;
    private boolean ended;

    ServerConnection(FuzzServer server) {
        this.server = server;
    }

    /** Called with further bytes of the client, after decryption. */
    abstract void received(byte[] bytes);

    /** Called when the client has connected, before any byte. */
    void connected(boolean http2) {}

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        channel = (SocketChannel) ctx.channel();
        server.opened(this);
        if (!server.exchange().tls()) {
            connected(false);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        server.closed(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        byte[] bytes = ByteBufUtil.getBytes((ByteBuf) message);
        ((ByteBuf) message).release();
        if (!sniffed) {
            sniffed = true;
            tls = bytes[0] == PlainTls.HANDSHAKE;
        }
        if (tls) {
            decrypt(bytes);
        } else {
            received(bytes);
        }
    }

    private void decrypt(byte[] bytes) {
        records = Bytes.join(records, bytes);
        while (records.length >= PlainTls.RECORD_HEADER) {
            int length = (records[3] & 0xff) << 8 | records[4] & 0xff;
            int size = PlainTls.RECORD_HEADER + length;
            if (records.length < size) {
                return;
            }
            int type = records[0];
            byte[] content = Arrays.copyOfRange(records, PlainTls.RECORD_HEADER, size);
            records = Arrays.copyOfRange(records, size, records.length);
            if (type == PlainTls.HANDSHAKE) {
                write(PlainTls.records(PlainTls.HANDSHAKE, PlainTls.HTTP1_HELLO), () -> {});
                connected(Arrays.equals(content, PlainTls.HTTP2_HELLO));
            } else if (type == PlainTls.DATA) {
                received(content);
            }
        }
    }

    /** Lets another object handle the connection, which has no TLS record that is not complete. */
    final void handOver(ServerConnection replacement) {
        replacement.channel = channel;
        replacement.tls = tls;
        replacement.sniffed = sniffed;
        channel.pipeline().replace(this, null, replacement);
        server.replace(this, replacement);
    }

    final void send(byte[] bytes) {
        send(bytes, () -> {});
    }

    private void send(byte[] bytes, Runnable sent) {
        if (ended) {
            sent.run();
        } else {
            write(tls ? PlainTls.records(PlainTls.DATA, bytes) : bytes, sent);
        }
    }

    private void write(byte[] bytes, Runnable written) {
        channel.writeAndFlush(Unpooled.wrappedBuffer(bytes)).addListener(done -> written.run());
    }

    /** Sends the parts one after the other, each when the client has had time to read the one before. */
    final void play(List<byte[]> parts, Runnable played) {
        if (parts.isEmpty() || !channel.isActive()) {
            played.run();
            return;
        }
        Runnable continued = () -> play(parts.subList(1, parts.size()), played);
        send(parts.get(0), () -> server.settle(continued));
    }

    /** Ends the connection. Closed for good only by the client, unless it is reset. */
    final void end(End end) {
        if (ended || !channel.isActive()) {
            return;
        }
        switch (end) {
            case KEEP, HANG -> {}
            case RESET -> {
                ended = true;
                channel.config().setOption(ChannelOption.SO_LINGER, 0);
                channel.close();
            }
            case CUT -> shutDownOutput();
            case CLOSE -> {
                if (tls) {
                    write(PlainTls.records(PlainTls.ALERT, PlainTls.CLOSE_NOTIFY), () -> {});
                }
                shutDownOutput();
            }
        }
    }

    private void shutDownOutput() {
        ended = true;
        channel.config().setAutoRead(true);
        channel.shutdownOutput();
    }

    final void setReading(boolean reading) {
        channel.config().setAutoRead(reading);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            ctx.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable error) {
        if (!(error instanceof IOException)) {
            server.violation("the server failed: " + error);
        }
        ctx.close();
    }
}
