package io.iocluster.http.connection.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.http.connection.ProtocolViolationException;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a target cannot occupy the event loop with lines in many small parts, and that no byte behind a response is kept. */
class ResponseDecoderTest {

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n";

    private final ResponseDecoder decoder =
            new ResponseDecoder(new Http1Settings(65_536, 100, true).newDecoderConfig());
    private final EmbeddedChannel channel = new EmbeddedChannel(decoder);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nX-Long: ",
                "HTTP/1.1 200 ",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;ext=",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Trailer: "
            })
    void refusesALineInTooManyParts(String start) {
        decoder.expectResponse(HttpMethod.GET);
        read(start);

        assertThatThrownBy(() -> readByteByByte("x".repeat(ResponseDecoder.MAX_SMALL_READS + 2)))
                .isInstanceOf(ProtocolViolationException.class)
                .hasMessageContaining("small parts");
    }

    @Test
    void acceptsEachResponseOfAConnectionInThousandsOfParts() {
        for (int response = 0; response < 3; response++) {
            decoder.expectResponse(HttpMethod.GET);
            readByteByByte(OK + "X-Long: " + "x".repeat(4_000) + "\r\n\r\n");
            assertThat(channel.<Object>readInbound()).isInstanceOf(HttpResponse.class);
            channel.releaseInbound();
        }
    }

    @Test
    void acceptsALargeHeadInPartsOfAFairSize() {
        decoder.expectResponse(HttpMethod.GET);
        String head = OK + ("X-Long: " + "x".repeat(500) + "\r\n").repeat(90) + "\r\n";
        for (int from = 0; from < head.length(); from += 64) {
            read(head.substring(from, Math.min(head.length(), from + 64)));
        }

        assertThat(channel.<Object>readInbound())
                .isInstanceOfSatisfying(
                        HttpResponse.class,
                        response -> assertThat(response.headers()).hasSize(91));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r\n", "H", "HTTP/1.1 408 Request Timeout\r\n", OK + "\r\n"})
    void reportsBytesBehindAResponse(String behind) {
        decoder.expectResponse(HttpMethod.GET);
        read("HTTP/1.1 103 Early Hints\r\n\r\n" + OK + "\r\n");
        channel.releaseInbound();

        read(behind);

        assertThat(channel.<Object>readInbound()).isSameAs(ResponseDecoder.UNEXPECTED);
    }

    private void readByteByByte(String text) {
        for (int i = 0; i < text.length(); i++) {
            read(text.substring(i, i + 1));
        }
    }

    private void read(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
    }
}
