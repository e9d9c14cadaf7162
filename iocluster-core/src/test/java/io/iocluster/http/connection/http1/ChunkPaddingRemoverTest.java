package io.iocluster.http.connection.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that blanks behind the size of a chunk are ignored, however the bytes arrive. */
class ChunkPaddingRemoverTest {

    private static final String HEAD = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    @Test
    void ignoresBlanksWhereverTheBytesAreSplit() {
        String response =
                HEAD + "3  \r\nabc\r\n009 \t\r\n\r\n  \r\n5\r\n\r\n1;x=\"y\" \r\nd\r\n2\t\r\n\n \r\n0 \r\nT: v\r\n\r\n";
        String expected = "abc\r\n  \r\n5\r\nd\n ";

        for (int first = 0; first <= response.length(); first++) {
            for (int second = first; second <= response.length(); second += 7) {
                assertThat(bodies(
                                response.substring(0, first),
                                response.substring(first, second),
                                response.substring(second)))
                        .as("split at %d and %d", first, second)
                        .containsExactly(expected);
            }
        }
    }

    @Test
    void ignoresBlanksInEachResponseOfAConnection() {
        Random random = new Random(1);
        for (int run = 0; run < 200; run++) {
            ResponseDecoder decoder = newDecoder();
            EmbeddedChannel channel = new EmbeddedChannel(decoder);
            for (int i = 0; i < 4; i++) {
                StringBuilder response =
                        new StringBuilder(i % 2 == 0 ? HEAD : "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n2 \r\n");
                String expected = i % 2 == 0 ? addChunks(response, random) : "2 \r\n";
                decoder.expectResponse(HttpMethod.GET);
                assertThat(bodies(channel, split(response, random)))
                        .as("run %d", run)
                        .containsExactly(expected);
            }
            channel.finishAndReleaseAll();
        }
    }

    private static String[] split(StringBuilder response, Random random) {
        List<String> parts = new ArrayList<>();
        for (int from = 0; from < response.length(); ) {
            int to = Math.min(response.length(), from + 1 + random.nextInt(20));
            parts.add(response.substring(from, to));
            from = to;
        }
        return parts.toArray(String[]::new);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {" 2\r\nok\r\n", "2 2\r\nok\r\n", "2 x\r\nok\r\n", " \r\nok\r\n", "2 \nok\r\n", "80000000 \r\nok"
            })
    void leavesOtherBlanksToTheDecoder(String invalid) {
        assertThat(bodies(HEAD, invalid)).containsExactly("invalid");
    }

    private static String addChunks(StringBuilder stream, Random random) {
        StringBuilder content = new StringBuilder();
        for (int chunks = random.nextInt(5); chunks > 0; chunks--) {
            int size = 1 + random.nextInt(40);
            stream.append(Integer.toHexString(size))
                    .append(" ".repeat(random.nextInt(3)))
                    .append("\r\n");
            for (int i = 0; i < size; i++) {
                char each = "1 \r\n".charAt(random.nextInt(4));
                stream.append(each);
                content.append(each);
            }
            stream.append("\r\n");
        }
        stream.append("0").append(" ".repeat(random.nextInt(3))).append("\r\n\r\n");
        return content.toString();
    }

    private static ResponseDecoder newDecoder() {
        return new ResponseDecoder(new Http1Settings(65_536, 100, true).newDecoderConfig());
    }

    private static List<String> bodies(String... parts) {
        ResponseDecoder decoder = newDecoder();
        decoder.expectResponse(HttpMethod.GET);
        EmbeddedChannel channel = new EmbeddedChannel(decoder);
        List<String> bodies = bodies(channel, parts);
        channel.finishAndReleaseAll();
        return bodies;
    }

    /** Decodes the parts, each read by itself, and returns the body of each response, or "invalid". */
    private static List<String> bodies(EmbeddedChannel channel, String... parts) {
        Arrays.stream(parts)
                .forEach(part ->
                        channel.writeInbound(Unpooled.copiedBuffer(part.getBytes(StandardCharsets.ISO_8859_1))));
        List<String> bodies = new ArrayList<>();
        StringBuilder body = new StringBuilder();
        for (HttpObject each = channel.readInbound(); each != null; each = channel.readInbound()) {
            if (each.decoderResult().isFailure()) {
                body.append("invalid");
            }
            if (each instanceof HttpResponse) {
                body.setLength(0);
            }
            if (each instanceof HttpContent content) {
                body.append(content.content().toString(StandardCharsets.ISO_8859_1));
                content.release();
            }
            if (each instanceof LastHttpContent) {
                bodies.add(body.toString());
            }
        }
        return bodies;
    }
}
