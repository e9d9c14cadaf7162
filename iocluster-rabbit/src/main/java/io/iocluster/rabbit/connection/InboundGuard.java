package io.iocluster.rabbit.connection;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.AMQImpl;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.Map;
import java.util.Queue;

/**
 * Inspects each delivered message of one connection before the client reads it. Confined to the connection's event loop, which is
 * the source's loop. The client closes the connection if it cannot decode a message's headers, and it buffers every body; both
 * would repeat with each redelivery. The guard removes such headers, and string properties that are not UTF-8, because the client
 * cannot send them back: it replaces each bad byte by three others and cuts the string after 255. It discards bodies that exceed the {@link InboundBudget} or
 * the size limit. The delivery itself always reaches the source, with an {@link InspectedMessage} that says what was removed. Sits
 * between the frame decoder and the client's handler. Only one channel of the connection may consume.
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
    private static final int HAS_DELIVERY_MODE = 1 << 12;
    private static final int HAS_PRIORITY = 1 << 11;
    private static final int HAS_TIMESTAMP = 1 << 6;
    /** The bits of the flags that announce a property, in the order of the properties. */
    private static final int FIRST_PROPERTY_BIT = 15;

    private static final int LAST_PROPERTY_BIT = 2;

    private final InboundBudget budget;
    private final long maxMessageBytes;
    private final Queue<InspectedMessage> inspected = new ArrayDeque<>();

    private int channel;
    private long tag;
    private boolean expectsHeader;
    private long remainingBody;
    private boolean isDiscarding;
    /** The message whose body is being received, or null. */
    private InspectedMessage receiving;
    /** Bytes reserved for the client's copy of the body, which it makes when the last frame has arrived. */
    private long copyBytes;

    private MessageDigest digest;
    private ByteBuf heldHeader;

    public InboundGuard(InboundBudget budget, long maxMessageBytes) {
        this.budget = budget;
        this.maxMessageBytes = maxMessageBytes;
    }

    /**
     * Removes and returns the inspected message of a delivery. The caller then owns its reserved bytes. Call it in the order of the
     * tags.
     */
    public InspectedMessage takeInspected(long deliveryTag) {
        InspectedMessage next = inspected.poll();
        while (next != null && next.tag() != deliveryTag) {
            budget.release(next.reservedBytes());
            next = inspected.poll();
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
            expectsHeader = true;
        }
        context.fireChannelRead(frame);
    }

    private boolean isDelivery(ByteBuf frame) {
        return frame.getUnsignedShort(frame.readerIndex() + 1) == channel;
    }

    private void header(ChannelHandlerContext context, ByteBuf frame) {
        if (!expectsHeader || !isDelivery(frame)) {
            context.fireChannelRead(frame);
            return;
        }
        expectsHeader = false;
        remainingBody = frame.getLong(frame.readerIndex() + BODY_SIZE_AT);
        ByteBuf readable = frame;
        Map<String, Object> headers = null;
        String problem = null;
        try {
            headers = headers(frame);
        } catch (IOException | RuntimeException undecodable) {
            problem = "the message headers cannot be decoded: " + FailureText.of(undecodable);
            readable = withoutHeaders(context, frame);
            frame.release();
        }
        ByteBuf text = withoutBrokenStrings(context, readable);
        boolean removed = text != readable;
        if (removed) {
            readable.release();
        }
        inspect(context, text, InspectedMessage.heapBytes(headers, text.readableBytes()), problem, removed);
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

    private void inspect(
            ChannelHandlerContext context, ByteBuf header, long headerBytes, String problem, boolean removed) {
        if (remainingBody > maxMessageBytes) {
            receiving = InspectedMessage.unreadable(
                    tag,
                    headerBytes,
                    "the message has " + remainingBody + " bytes; rabbit.requests.max-message-size is "
                            + maxMessageBytes);
            budget.reserve(headerBytes);
            copyBytes = 0;
            isDiscarding = true;
            digest = ContentId.sha256();
            heldHeader = header.setLong(header.readerIndex() + BODY_SIZE_AT, 0);
            return;
        }
        long size = headerBytes + remainingBody;
        copyBytes = remainingBody;
        isDiscarding = !budget.tryReserve(size + copyBytes);
        if (isDiscarding) {
            inspected.add(InspectedMessage.overBudget(tag, size, size + copyBytes));
            copyBytes = 0;
            header.release();
            context.fireChannelRead(headerWithoutProperties(context, 0));
            return;
        }
        InspectedMessage whole =
                problem == null ? InspectedMessage.read(tag, size) : InspectedMessage.unreadable(tag, size, problem);
        receiving = removed ? whole.withIgnoredProperty() : whole;
        forward(context, header);
    }

    /** Forwards a frame. Adds the result first, because the client delivers the message with the last frame. */
    private void forward(ChannelHandlerContext context, ByteBuf frame) {
        boolean last = remainingBody == 0;
        if (last) {
            inspected.add(receiving);
            receiving = null;
        }
        context.fireChannelRead(frame);
        if (last) {
            budget.release(copyBytes);
            copyBytes = 0;
        }
    }

    private void body(ChannelHandlerContext context, ByteBuf frame) {
        if (remainingBody == 0 || !isDelivery(frame)) {
            context.fireChannelRead(frame);
            return;
        }
        int length = frame.readableBytes() - FRAME_HEADER - 1;
        remainingBody = Math.max(0, remainingBody - length);
        if (!isDiscarding) {
            forward(context, frame);
            return;
        }
        if (digest != null) {
            digest.update(frame.nioBuffer(frame.readerIndex() + FRAME_HEADER, length));
        }
        frame.release();
        if (remainingBody == 0 && digest != null) {
            String hash = HexFormat.of().formatHex(digest.digest());
            inspected.add(InspectedMessage.unreadable(
                    tag, receiving.reservedBytes(), receiving.problem() + "; SHA-256 " + hash));
            receiving = null;
            digest = null;
            ByteBuf header = heldHeader;
            heldHeader = null;
            context.fireChannelRead(header);
        }
    }

    /** Returns the frame without the headers table, or without any property if the end of the table is unknown. */
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
            return headerWithoutProperties(context, remainingBody);
        }
        int before = (int) table - start - PROPERTIES_AT;
        int after = end - (int) rest;
        ByteBuf shortened = contentHeader(context, remainingBody, flags & ~HAS_HEADERS, before + after);
        shortened.writeBytes(frame, start + PROPERTIES_AT, before);
        shortened.writeBytes(frame, (int) rest, after);
        return shortened.writeByte(AMQP.FRAME_END);
    }

    /** Returns the frame without the string properties that are not UTF-8; the frame itself if all are. */
    private ByteBuf withoutBrokenStrings(ChannelHandlerContext context, ByteBuf frame) {
        int start = frame.readerIndex();
        int end = start + frame.readableBytes() - 1;
        int flags = frame.getUnsignedShort(start + FLAGS_AT);
        int kept = flags;
        int bytes = 0;
        int at = start + PROPERTIES_AT;
        for (int bit = FIRST_PROPERTY_BIT; bit >= LAST_PROPERTY_BIT; bit--) {
            int flag = 1 << bit & flags;
            long length = flag == 0 ? 0 : propertyLength(frame, at, end, flag);
            if (at + length > end) {
                return headerWithoutProperties(context, remainingBody);
            }
            if (isString(flag) && !ByteBufUtil.isText(frame, at + 1, (int) length - 1, StandardCharsets.UTF_8)) {
                kept &= ~flag;
            } else {
                bytes += (int) length;
            }
            at += (int) length;
        }
        return kept == flags ? frame : copyOf(context, frame, kept, bytes);
    }

    private ByteBuf copyOf(ChannelHandlerContext context, ByteBuf frame, int kept, int bytes) {
        int start = frame.readerIndex();
        int end = start + frame.readableBytes() - 1;
        int flags = frame.getUnsignedShort(start + FLAGS_AT);
        ByteBuf copy = contentHeader(context, remainingBody, kept, bytes);
        int at = start + PROPERTIES_AT;
        for (int bit = FIRST_PROPERTY_BIT; bit >= LAST_PROPERTY_BIT; bit--) {
            int flag = 1 << bit & flags;
            int length = flag == 0 ? 0 : (int) propertyLength(frame, at, end, flag);
            if ((kept & flag) != 0) {
                copy.writeBytes(frame, at, length);
            }
            at += length;
        }
        return copy.writeByte(AMQP.FRAME_END);
    }

    /** Returns the bytes of the property at this index, with its length; more than there are if it is cut off. */
    private static long propertyLength(ByteBuf frame, int at, int end, int flag) {
        return switch (flag) {
            case HAS_HEADERS -> at + 4 <= end ? 4 + frame.getUnsignedInt(at) : 4;
            case HAS_DELIVERY_MODE, HAS_PRIORITY -> 1;
            case HAS_TIMESTAMP -> Long.BYTES;
            default -> at < end ? 1 + frame.getUnsignedByte(at) : 1;
        };
    }

    private static boolean isString(int flag) {
        return switch (flag) {
            case 0, HAS_HEADERS, HAS_DELIVERY_MODE, HAS_PRIORITY, HAS_TIMESTAMP -> false;
            default -> true;
        };
    }

    /** Returns a content header without properties. */
    private ByteBuf headerWithoutProperties(ChannelHandlerContext context, long bodySize) {
        return contentHeader(context, bodySize, 0, 0).writeByte(AMQP.FRAME_END);
    }

    private ByteBuf contentHeader(ChannelHandlerContext context, long bodySize, int flags, int propertyBytes) {
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

    /** Releases the bytes of undelivered messages when the connection is closed. */
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
        inspected.forEach(message -> budget.release(message.reservedBytes()));
        inspected.clear();
    }
}
