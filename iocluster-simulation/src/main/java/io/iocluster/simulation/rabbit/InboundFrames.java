package io.iocluster.simulation.rabbit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.AMQImpl;
import com.rabbitmq.client.impl.Frame;
import com.rabbitmq.client.impl.Method;
import io.iocluster.rabbit.connection.InboundGuard;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Sends each delivery of a connection through its guard in the frames of AMQP, so that the guard and the encoding are those of a real
 * connection. Confined to the connection's event loop.
 */
final class InboundFrames {

    private static final int FRAME_HEADER = 7;
    private static final int MAX_BODY_BYTES = 128 << 10;

    private final EmbeddedChannel netty;

    /** @param guard null for none */
    InboundFrames(InboundGuard guard) {
        this.netty = guard == null ? new EmbeddedChannel() : new EmbeddedChannel(guard);
    }

    /** A delivery as the client reads it. */
    record Received(BasicProperties properties, byte[] body) {}

    Received deliver(
            int channel,
            String consumerTag,
            long tag,
            String exchange,
            String key,
            BasicProperties properties,
            byte[] body) {
        try {
            write(((Method) new AMQP.Basic.Deliver.Builder()
                            .consumerTag(consumerTag)
                            .deliveryTag(tag)
                            .exchange(exchange)
                            .routingKey(key)
                            .build())
                    .toFrame(channel));
            write(properties.toFrame(channel, body.length));
            for (int from = 0; from < body.length; from += MAX_BODY_BYTES) {
                int length = Math.min(MAX_BODY_BYTES, body.length - from);
                write(Frame.fromBodyFragment(channel, ByteBuffer.wrap(body), from, length));
            }
            return read();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private void write(Frame frame) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        frame.writeTo(new DataOutputStream(bytes));
        netty.writeInbound(Unpooled.wrappedBuffer(bytes.toByteArray()));
    }

    private Received read() throws IOException {
        BasicProperties properties = null;
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (ByteBuf frame = netty.readInbound(); frame != null; frame = netty.readInbound()) {
            byte[] payload = ByteBufUtil.getBytes(
                    frame, frame.readerIndex() + FRAME_HEADER, frame.readableBytes() - FRAME_HEADER - 1);
            int type = frame.getUnsignedByte(frame.readerIndex());
            frame.release();
            if (type == AMQP.FRAME_HEADER) {
                properties = (BasicProperties)
                        AMQImpl.readContentHeaderFrom(new DataInputStream(new ByteArrayInputStream(payload)));
            } else if (type == AMQP.FRAME_BODY) {
                body.writeBytes(payload);
            }
        }
        return new Received(properties, body.toByteArray());
    }

    void close() {
        netty.finishAndReleaseAll();
    }
}
