package io.iocluster.rabbit.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.AMQImpl;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sends the guard frames as a broker would. */
public class InboundGuardTest {

    private static final int BUFFER_BYTES = 10_000;
    private static final int MAX_MESSAGE_BYTES = 50_000;

    private final InboundBudget budget = new InboundBudget(BUFFER_BYTES);
    private final InboundGuard guard = new InboundGuard(budget, MAX_MESSAGE_BYTES);
    private final EmbeddedChannel channel = new EmbeddedChannel(guard);

    @AfterEach
    void closeConnection() {
        channel.finishAndReleaseAll();
    }

    @Test
    void forwardsAMessageUnchangedAndReservesItsBytesWithItsHeader() {
        ByteBuf header = header(3_000, new byte[0], 0);
        byte[] asSent = bytes(header);
        deliver(1, header);
        assertThat(budget.reservedBytes()).isGreaterThan(6_000);

        body(2_000);
        body(1_000);

        assertThat(read()).isEqualTo(AMQP.FRAME_METHOD);
        ByteBuf forwarded = channel.readInbound();
        assertThat(bytes(forwarded)).isEqualTo(asSent);
        forwarded.release();
        assertThat(read()).isEqualTo(AMQP.FRAME_BODY);
        assertThat(read()).isEqualTo(AMQP.FRAME_BODY);
        InspectedMessage inspected = guard.takeInspected(1);
        assertThat(inspected.problem()).isNull();
        assertThat(inspected.isWithinBudget()).isTrue();
        assertThat(budget.reservedBytes())
                .isEqualTo(inspected.reservedBytes())
                .isBetween(3_000L, 3_000L + 2 * InspectedMessage.OVERHEAD_BYTES);
    }

    @Test
    void discardsTheBodyOfAMessageThatExceedsTheBudget() throws IOException {
        budget.reserve(BUFFER_BYTES - 2_000);

        deliver(7, header(4_000, new byte[0], 0));
        body(4_000);

        assertThat(read()).isEqualTo(AMQP.FRAME_METHOD);
        assertThat(bodySize(channel.readInbound())).isZero();
        assertThat((Object) channel.readInbound()).isNull();
        InspectedMessage inspected = guard.takeInspected(7);
        assertThat(inspected.isWithinBudget()).isFalse();
        assertThat(inspected.fullBytes()).isGreaterThan(4_000);
        assertThat(inspected.bytesNeeded()).isEqualTo(inspected.fullBytes() + 4_000);
        assertThat(budget.reservedBytes()).isEqualTo(BUFFER_BYTES - 2_000);
    }

    @Test
    void acceptsAMessageLargerThanTheBudgetWhenItIsAlone() {
        deliver(1, header(40_000, new byte[0], 0));
        body(40_000);

        assertThat(guard.takeInspected(1).isWithinBudget()).isTrue();
    }

    @Test
    void reportsSizeAndHashOfAMessageOverTheLimitAndKeepsItsProperties() throws Exception {
        byte[] body = new byte[60_000];
        deliver(3, header(body.length, contentType(), 1 << 15));
        assertThat(read()).isEqualTo(AMQP.FRAME_METHOD);
        assertThat((Object) channel.readInbound()).isNull();
        body(30_000);
        body(30_000);

        ByteBuf header = channel.readInbound();
        assertThat(decode(header).getContentType()).isEqualTo("text/plain");
        assertThat(bodySize(header)).isZero();
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        assertThat(guard.takeInspected(3).problem()).contains("60000 bytes", "50000", hash);
        assertThat(budget.reservedBytes()).isLessThan(3_000);
    }

    @Test
    void removesHeadersThatTheClientCannotDecodeAndKeepsTheOtherProperties() throws IOException {
        ByteArrayOutputStream properties = new ByteArrayOutputStream();
        properties.write(contentType());
        byte[] table = {1, 'n', 'Z', 0};
        new DataOutputStream(properties).writeInt(table.length);
        properties.write(table);
        properties.write(2);
        deliver(1, header(10, properties.toByteArray(), 1 << 15 | 1 << 13 | 1 << 12));
        body(10);

        read();
        ByteBuf header = channel.readInbound();
        BasicProperties kept = decode(header);
        assertThat(kept.getContentType()).isEqualTo("text/plain");
        assertThat(kept.getHeaders()).isNull();
        assertThat(kept.getDeliveryMode()).isEqualTo(2);
        assertThat(bodySize(header)).isEqualTo(10);
        assertThat(guard.takeInspected(1).problem()).contains("headers cannot be decoded");
    }

    @Test
    void removesAllPropertiesWhenTheLengthOfTheHeadersIsWrong() throws IOException {
        deliver(1, header(10, new byte[] {0x7f, -1, -1, -1, 1}, 1 << 13));
        body(10);

        read();
        ByteBuf header = channel.readInbound();
        assertThat(decode(header).getHeaders()).isNull();
        assertThat(bodySize(header)).isEqualTo(10);
        assertThat(guard.takeInspected(1).problem()).contains("headers cannot be decoded");
    }

    @Test
    void removesStringPropertiesThatAreNotUtf8AndKeepsTheOthers() throws IOException {
        ByteArrayOutputStream properties = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(properties);
        out.write(contentType());
        byte[] table = {1, 'n', 'I', 0, 0, 0, 7};
        out.writeInt(table.length);
        out.write(table);
        out.write(2);
        out.write(5);
        byte[] binary = new byte[200];
        Arrays.fill(binary, (byte) 0xff);
        out.write(binary.length);
        out.write(binary);
        out.write(5);
        out.write("täg".getBytes(StandardCharsets.UTF_8), 0, 4);
        out.write('!');
        out.writeLong(1_000);
        out.write(2);
        out.write(new byte[] {(byte) 0xc3, '('});
        int flags = 1 << 15 | 1 << 13 | 1 << 12 | 1 << 11 | 1 << 10 | 1 << 7 | 1 << 6 | 1 << 3;
        deliver(1, header(10, properties.toByteArray(), flags));
        body(10);

        read();
        BasicProperties kept = decode(channel.readInbound());
        assertThat(kept.getContentType()).isEqualTo("text/plain");
        assertThat(kept.getHeaders()).containsEntry("n", 7);
        assertThat(kept.getDeliveryMode()).isEqualTo(2);
        assertThat(kept.getPriority()).isEqualTo(5);
        assertThat(kept.getCorrelationId()).isNull();
        assertThat(kept.getMessageId()).isEqualTo("täg!");
        assertThat(kept.getTimestamp()).hasTime(1_000_000);
        assertThat(kept.getAppId()).isNull();
        InspectedMessage inspected = guard.takeInspected(1);
        assertThat(inspected.problem()).isNull();
        assertThat(inspected.hasIgnoredProperty()).isTrue();
    }

    @Test
    void reportsNoIgnoredPropertyForAnOrdinaryMessage() {
        deliver(1, header(10, contentType(), 1 << 15));
        body(10);

        assertThat(guard.takeInspected(1).hasIgnoredProperty()).isFalse();
    }

    @Test
    void releasesTheBytesOfUndeliveredMessagesWhenTheConnectionIsClosed() {
        deliver(1, header(3_000, new byte[0], 0));
        body(1_000);

        channel.finishAndReleaseAll();

        assertThat(budget.reservedBytes()).isZero();
    }

    private void deliver(long tag, ByteBuf header) {
        channel.writeInbound(deliver(tag), header);
    }

    /** Returns the method frame that announces a message. */
    public static ByteBuf deliver(long tag) {
        ByteBuf deliver = Unpooled.buffer();
        deliver.writeShort(60).writeShort(60).writeByte(3).writeBytes(new byte[] {'c', 't', 'g'});
        deliver.writeLong(tag).writeByte(0).writeByte(0).writeByte(1).writeByte('q');
        return frame(AMQP.FRAME_METHOD, deliver);
    }

    private void body(int length) {
        channel.writeInbound(frame(AMQP.FRAME_BODY, Unpooled.wrappedBuffer(new byte[length])));
    }

    public static ByteBuf header(long bodySize, byte[] properties, int flags) {
        ByteBuf payload = Unpooled.buffer();
        payload.writeShort(60)
                .writeShort(0)
                .writeLong(bodySize)
                .writeShort(flags)
                .writeBytes(properties);
        return frame(AMQP.FRAME_HEADER, payload);
    }

    private static ByteBuf frame(int type, ByteBuf payload) {
        return Unpooled.buffer()
                .writeByte(type)
                .writeShort(1)
                .writeInt(payload.readableBytes())
                .writeBytes(payload)
                .writeByte(AMQP.FRAME_END);
    }

    private static byte[] contentType() {
        byte[] text = "text/plain".getBytes(StandardCharsets.US_ASCII);
        return bytes(Unpooled.buffer().writeByte(text.length).writeBytes(text));
    }

    private static byte[] bytes(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readerIndex(), bytes);
        return bytes;
    }

    private int read() {
        ByteBuf frame = channel.readInbound();
        try {
            return frame.getByte(0);
        } finally {
            frame.release();
        }
    }

    private static long bodySize(ByteBuf header) {
        return header.getLong(11);
    }

    private static BasicProperties decode(ByteBuf header) throws IOException {
        byte[] frame = bytes(header);
        assertThat(header.getInt(3)).isEqualTo(frame.length - 8);
        return (BasicProperties) AMQImpl.readContentHeaderFrom(
                new DataInputStream(new ByteArrayInputStream(frame, 7, frame.length - 8)));
    }
}
