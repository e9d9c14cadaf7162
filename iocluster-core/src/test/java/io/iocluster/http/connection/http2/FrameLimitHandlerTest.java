package io.iocluster.http.connection.http2;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.http.connection.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FrameLimitHandlerTest {

    /** A WINDOW_UPDATE of the connection. */
    private static final byte[] UPDATE = {0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1};

    @Test
    void bytesThatWereSentHoursAgoExplainNoFlood() {
        long[] nanos = {0};
        EmbeddedChannel channel =
                new EmbeddedChannel(new FrameLimitHandler(() -> nanos[0], new DefaultHttp2Connection(false)));
        ByteBuf upload = Unpooled.wrappedBuffer(new byte[1 << 20]);
        for (int i = 0; i < 100; i++) {
            channel.writeOutbound(upload.retainedDuplicate());
            channel.releaseOutbound();
        }
        nanos[0] = Duration.ofHours(1).toNanos();

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 150_000; i++) {
                        channel.writeInbound(Unpooled.wrappedBuffer(UPDATE));
                        channel.releaseInbound();
                    }
                })
                .isInstanceOf(ProtocolViolationException.class);
    }
}
