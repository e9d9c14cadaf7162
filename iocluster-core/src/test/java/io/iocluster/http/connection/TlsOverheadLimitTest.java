package io.iocluster.http.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContextBuilder;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;

/** A target that sends alerts in place of its handshake. The JDK ignores warnings such as {@code user_canceled}. */
class TlsOverheadLimitTest {

    private static final byte[] WARNING = {21, 3, 3, 0, 2, 1, 90};

    @Test
    void endsAHandshakeInWhichTheTargetSendsTensOfThousandsOfRecords() throws SSLException {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.pipeline().addLast(SslContextBuilder.forClient().build().newHandler(channel.alloc()));
        TlsOverheadLimit.addTo(channel.pipeline());

        sendWarnings(channel, 10_000);
        assertThat(channel.isOpen()).isTrue();
        assertThatThrownBy(() -> sendWarnings(channel, 15_000))
                .isInstanceOf(ProtocolViolationException.class)
                .hasMessageContaining("too many TLS records");
        assertThat(channel.isOpen()).isFalse();
        channel.finishAndReleaseAll();
    }

    private static void sendWarnings(EmbeddedChannel channel, int count) {
        ByteBuf warnings = Unpooled.buffer(count * WARNING.length);
        for (int i = 0; i < count; i++) {
            warnings.writeBytes(WARNING);
        }
        channel.writeInbound(warnings);
    }
}
