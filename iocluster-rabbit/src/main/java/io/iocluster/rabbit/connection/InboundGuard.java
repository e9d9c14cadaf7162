package io.iocluster.rabbit.connection;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.AMQImpl;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.DataInputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.Map;
import java.util.Queue;

/**
 * Inspects each delivered message of one connection before the client reads it. The client closes the connection if it cannot
 * decode a message's headers, and keeps every body that the broker sends; both would repeat with each redelivery. The guard removes
 * such headers, and discards bodies for which the {@link InboundBudget} has no room or that are over the limit; the delivery itself
 * always reaches the source, with an {@link InspectedMessage} that says what is missing. Sits between the frame decoder and the client's
 * handler. Confined to the connection's event loop, which is the source's. One channel of the connection may consume.
 */
public final class InboundGuard extends ChannelInboundHandlerAdapter {

    private static final int FRAME_HEADER = 7;
    private static final int BASIC_DELIVER = 60 << 16 | 60;
    private static final int BODY_SIZE_AT = FRAME_HEADER + 4;
    private static final int FLAGS_AT = FRAME_HEADER + 12;
    private static final int PROPERTIES_AT = FRAME_HEADER + 14;
    private static final int HAS_CONTENT_TYPE = 1 << 15;
    private static final int HAS_CONTENT_ENCODING = 1 << 14;
    private static final int HAS_HEADERS = 1 << 13;

    private final InboundBudget budget;
    private final long maxMessageBytes;
    private final Queue<InspectedMessage> arrivals = new ArrayDeque<>();

    private int channel;
    private long tag;
    private boolean awaitsHeader;
    private long bodyLeft;
    private boolean discards;
    /** The arrival of a message whose body is being received, or null. */
    private InspectedMessage receiving;
    /** A body of several frames is copied into one array when it is complete. */
    private long copyBytes;

    private MessageDigest digest;
    private ByteBuf heldHeader;

    public InboundGuard(InboundBudget budget, long maxMessageBytes) {
        this.budget = budget;
        this.maxMessageBytes = maxMessageBytes;
    }

    /**
     * Removes and returns the arrival of a delivery, which then owns the bytes taken for it. Deliveries arrive in the order of
     * their tags.
     */
    public InspectedMessage takeInspected(long deliveryTag) {
        InspectedMessage next = arrivals.poll();
        while (next != null && next.tag() != deliveryTag) {
            budget.release(next.reservedBytes());
            next = arrivals.poll();
        }
        return next == null ? InspectedMessage.read(deliveryTag, 0) : next;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf frame = (ByteBuf) message;
        int start = frame.readerIndex();
        switch (frame.getUnsignedByte(start)) {
            case AMQP.FRAME_METHOD -> method(context, frame);
            case AMQP.FRAME_HEADER -> header(context, frame);
            case AMQP.FRAME_BODY -> body(context, frame);
            default -> context.fireChannelRead(frame);
        }
    }

    private void method(ChannelHandlerContext context, ByteBuf frame) {
        int start = frame.readerIndex();
        if (frame.readableBytes() > FRAME_HEADER + 4 && frame.getInt(start + FRAME_HEADER) == BASIC_DELIVER) {
            int consumerTagAt = start + FRAME_HEADER + 4;
            tag = frame.getLong(consumerTagAt + 1 + frame.getUnsignedByte(consumerTagAt));
            channel = frame.getUnsignedShort(start + 1);
            awaitsHeader = true;
        }
        context.fireChannelRead(frame);
    }

    private boolean isDelivery(ByteBuf frame) {
        return frame.getUnsignedShort(frame.readerIndex() + 1) == channel;
    }

    private void header(ChannelHandlerContext context, ByteBuf frame) {
        if (!awaitsHeader || !isDelivery(frame)) {
            context.fireChannelRead(frame);
            return;
        }
        awaitsHeader = false;
        bodyLeft = frame.getLong(frame.readerIndex() + BODY_SIZE_AT);
        ByteBuf readable = frame;
        Map<String, Object> headers = null;
        String problem = null;
        try {
            headers = headers(frame);
        } catch (IOException | RuntimeException undecodable) {
            problem = "the message's headers cannot be decoded: " + FailureText.of(undecodable);
            readable = withoutHeaders(context, frame);
            frame.release();
        }
        judge(context, readable, InspectedMessage.heapBytes(headers, readable.readableBytes()), problem);
    }

    private static Map<String, Object> headers(ByteBuf frame) throws IOException {
        int start = frame.readerIndex();
        if ((frame.getUnsignedShort(start + FLAGS_AT) & HAS_HEADERS) == 0) {
            return null;
        }
        ByteBuf payload = frame.slice(start + FRAME_HEADER, frame.readableBytes() - FRAME_HEADER - 1);
        try (DataInputStream in = new DataInputStream(new ByteBufInputStream(payload))) {
            return ((BasicProperties) AMQImpl.readContentHeaderFrom(in)).getHeaders();
        }
    }

    private void judge(ChannelHandlerContext context, ByteBuf header, long weight, String problem) {
        if (bodyLeft > maxMessageBytes) {
            receiving = InspectedMessage.unreadable(
                    tag,
                    weight,
                    "the message has " + bodyLeft + " bytes, over rabbit.requests.max-message-size of "
                            + maxMessageBytes);
            budget.reserve(weight);
            copyBytes = 0;
            discards = true;
            digest = ContentId.sha256();
            heldHeader = header.setLong(header.readerIndex() + BODY_SIZE_AT, 0);
            return;
        }
        long size = weight + bodyLeft;
        copyBytes = bodyLeft;
        discards = !budget.tryReserve(size + copyBytes);
        if (discards) {
            arrivals.add(InspectedMessage.overBudget(tag, size, size + copyBytes));
            copyBytes = 0;
            header.release();
            context.fireChannelRead(bare(context, 0));
            return;
        }
        receiving =
                problem == null ? InspectedMessage.read(tag, size) : InspectedMessage.unreadable(tag, size, problem);
        forward(context, header);
    }

    /** Passes a frame on. Adds the arrival first, because the client delivers the message when it has the last frame. */
    private void forward(ChannelHandlerContext context, ByteBuf frame) {
        boolean last = bodyLeft == 0;
        if (last) {
            arrivals.add(receiving);
            receiving = null;
        }
        context.fireChannelRead(frame);
        if (last) {
            budget.release(copyBytes);
            copyBytes = 0;
        }
    }

    private void body(ChannelHandlerContext context, ByteBuf frame) {
        if (bodyLeft == 0 || !isDelivery(frame)) {
            context.fireChannelRead(frame);
            return;
        }
        int length = frame.readableBytes() - FRAME_HEADER - 1;
        bodyLeft = Math.max(0, bodyLeft - length);
        if (!discards) {
            forward(context, frame);
            return;
        }
        if (digest != null) {
            digest.update(frame.nioBuffer(frame.readerIndex() + FRAME_HEADER, length));
        }
        frame.release();
        if (bodyLeft == 0 && digest != null) {
            String hash = HexFormat.of().formatHex(digest.digest());
            arrivals.add(InspectedMessage.unreadable(
                    tag, receiving.reservedBytes(), receiving.problem() + "; SHA-256 " + hash));
            receiving = null;
            digest = null;
            ByteBuf header = heldHeader;
            heldHeader = null;
            context.fireChannelRead(header);
        }
    }

    /** Returns the frame without the table of headers, or without any property if the table's end is not known. */
    private ByteBuf withoutHeaders(ChannelHandlerContext context, ByteBuf frame) {
        int start = frame.readerIndex();
        int end = start + frame.readableBytes() - 1;
        int flags = frame.getUnsignedShort(start + FLAGS_AT);
        long table = start + PROPERTIES_AT;
        for (int flag : new int[] {HAS_CONTENT_TYPE, HAS_CONTENT_ENCODING}) {
            if ((flags & flag) != 0 && table < end) {
                table += 1 + frame.getUnsignedByte((int) table);
            }
        }
        long rest = table + 4 <= end ? table + 4 + frame.getUnsignedInt((int) table) : end + 1L;
        if (rest > end) {
            return bare(context, bodyLeft);
        }
        int before = (int) table - start - PROPERTIES_AT;
        int after = end - (int) rest;
        ByteBuf cut = head(context, bodyLeft, flags & ~HAS_HEADERS, before + after);
        cut.writeBytes(frame, start + PROPERTIES_AT, before);
        cut.writeBytes(frame, (int) rest, after);
        return cut.writeByte(AMQP.FRAME_END);
    }

    /** Returns a content header without properties. */
    private ByteBuf bare(ChannelHandlerContext context, long bodySize) {
        return head(context, bodySize, 0, 0).writeByte(AMQP.FRAME_END);
    }

    private ByteBuf head(ChannelHandlerContext context, long bodySize, int flags, int propertyBytes) {
        return context.alloc()
                .buffer(PROPERTIES_AT + propertyBytes + 1)
                .writeByte(AMQP.FRAME_HEADER)
                .writeShort(channel)
                .writeInt(PROPERTIES_AT - FRAME_HEADER + propertyBytes)
                .writeShort(BASIC_DELIVER >> 16)
                .writeShort(0)
                .writeLong(bodySize)
                .writeShort(flags);
    }

    /** The connection is closed: releases the bytes of messages that it did not deliver. */
    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (receiving != null) {
            budget.release(receiving.reservedBytes() + copyBytes);
            receiving = null;
            copyBytes = 0;
        }
        if (heldHeader != null) {
            heldHeader.release();
            heldHeader = null;
        }
        arrivals.forEach(arrival -> budget.release(arrival.reservedBytes()));
        arrivals.clear();
    }
}
