package io.iocluster.http.connection.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.connection.ExchangeFailure;
import io.iocluster.http.connection.ExchangeListener;
import io.iocluster.http.connection.HttpConnection;
import io.iocluster.http.connection.WireRequest;
import io.iocluster.log.LogThrottle;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

/** Tests what the node remembers of the headers that it has sent, whatever table the target offers (RFC 7541, section 4.2). */
class Http2HeaderTableTest {

    private static final int HEADER_TABLE_SIZE = 1;
    private static final int VALUE_BYTES = 200;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Http2Connection connection = Http2Connection.open(
            channel,
            new Http2Limits(8_192, Duration.ofSeconds(10), new LogThrottle(NOPLogger.NOP_LOGGER, () -> 0)),
            System::nanoTime);

    @BeforeEach
    void open() {
        connection.setOwner(new HttpConnection.Owner() {
            @Override
            public void onChange() {}

            @Override
            public void onClosed() {}
        });
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void remembersAHeaderThatItHasJustSent() {
        offerTable(4_096);

        int first = send(0);

        assertThat(first).isGreaterThan(VALUE_BYTES / 2);
        assertThat(send(0)).isLessThan(VALUE_BYTES / 2);
    }

    @Test
    void forgetsOldHeadersAlsoIfTheTargetOffersALargeTable() {
        offerTable(16 * 1024 * 1024);
        send(0);

        for (int i = 1; i < 100; i++) {
            send(i);
        }

        assertThat(send(0)).isGreaterThan(VALUE_BYTES / 2);
    }

    private void offerTable(int bytes) {
        channel.writeInbound(Unpooled.buffer()
                .writeMedium(6)
                .writeByte(Http2FrameTypes.SETTINGS)
                .writeByte(0)
                .writeInt(0)
                .writeShort(HEADER_TABLE_SIZE)
                .writeInt(bytes));
        sentBytes();
    }

    /** Sends a request with the header of this number, and returns its bytes. */
    private int send(int number) {
        String value = String.valueOf((char) ('!' + number % 90)).repeat(VALUE_BYTES - 3) + (100 + number);
        WireRequest request = new WireRequest(
                HttpMethod.GET,
                "https",
                "a.example",
                "/",
                "/",
                new CharSequence[] {"host", "a", "connection", "c", "x-number", value},
                null);
        connection.start(request, new Ignored());
        channel.runPendingTasks();
        return sentBytes();
    }

    private int sentBytes() {
        int bytes = 0;
        for (ByteBuf sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
            bytes += sent.readableBytes();
            sent.release();
        }
        return bytes;
    }

    private static final class Ignored implements ExchangeListener {

        @Override
        public boolean onHead(int status, HttpHeaders headers) {
            return true;
        }

        @Override
        public boolean onBody(ByteBuf part) {
            return true;
        }

        @Override
        public void onEnd() {}

        @Override
        public void onFailure(ExchangeFailure failure) {}
    }
}
