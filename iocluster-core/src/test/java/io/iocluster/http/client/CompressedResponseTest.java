package io.iocluster.http.client;

import static io.iocluster.http.client.TestExecutor.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.BodyBudget;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.client.server.Http2Target;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.SentStatus;
import io.iocluster.testkit.target.ScriptedServer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.compression.SnappyFrameEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which bodies are decompressed, and corrupt, truncated and malicious ones. */
@Timeout(60)
class CompressedResponseTest extends ExecutorFixture {

    private static final byte[] PLAIN = "text ".repeat(1_000).getBytes(StandardCharsets.ISO_8859_1);

    /** The header of a zstd frame that declares 1 GiB of content in one block, without the content. */
    private static final byte[] ZSTD_OF_ONE_GIB = {
        0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, (byte) 0xa0, 0, 0, 0, 0x40, 0x02, 0, 0, 'x', 'x', 'x', 'x'
    };

    /** HTTP version of the target. */
    enum Protocol {
        HTTP_1,
        HTTP_2
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void decompressesGzipAndBothKindsOfDeflate(Protocol protocol) throws Exception {
        for (String coding : List.of("gzip", "x-gzip", "GZip", "identity, gzip")) {
            assertThat(decompressed(protocol, coding, gzip(PLAIN))).as(coding).isEqualTo(PLAIN);
        }
        assertThat(decompressed(protocol, "deflate", deflate(PLAIN, false))).isEqualTo(PLAIN);
        assertThat(decompressed(protocol, "deflate", deflate(PLAIN, true))).isEqualTo(PLAIN);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void decompressesZlibWithAWindowOfAnySize(Protocol protocol) throws Exception {
        byte[] zlib = deflate(PLAIN, false);
        for (int windowBits = 8; windowBits <= 15; windowBits++) {
            // No distance in the compressed text exceeds the smallest window.
            int header = (windowBits - 8) << 12 | 8 << 8;
            header += 31 - header % 31;
            zlib[0] = (byte) (header >> 8);
            zlib[1] = (byte) header;
            assertThat(decompressed(protocol, "deflate", zlib))
                    .as("%d bits", windowBits)
                    .isEqualTo(PLAIN);
        }
    }

    @Test
    void decompressesADeflateBodyWhoseFirstPartIsOneByte() throws Exception {
        for (byte[] body : List.of(deflate(PLAIN, false), deflate(PLAIN, true))) {
            ScriptedServer server = server(connection -> {
                connection.read();
                connection.send("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nContent-Encoding: deflate\n\n1\n");
                connection.sendBytes(Arrays.copyOf(body, 1));
                connection.send("\n" + Integer.toHexString(body.length - 1) + "\n");
                connection.sendBytes(Arrays.copyOfRange(body, 1, body.length));
                connection.send("\n0\n\n");
                connection.awaitClose();
            });
            assertThat(executor().response(get(server.port(), "/")).body()).isEqualTo(PLAIN);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void decompressesGzipWithEachFieldOfItsHeader(Protocol protocol) throws Exception {
        byte[] gzip = gzip(PLAIN);
        byte[] content = Arrays.copyOfRange(gzip, 10, gzip.length);
        byte[] extra = {5, 0, 'a', 'b', 'c', 'd', 'e'};
        byte[] text = {'n', 'o', 't', 'e', 0};
        assertThat(decompressed(protocol, "gzip", join(gzipHeader(1), content))).isEqualTo(PLAIN);
        assertThat(decompressed(protocol, "gzip", join(withChecksum(gzipHeader(2)), content)))
                .isEqualTo(PLAIN);
        assertThat(decompressed(protocol, "gzip", join(gzipHeader(4), extra, content)))
                .isEqualTo(PLAIN);
        assertThat(decompressed(protocol, "gzip", join(gzipHeader(8), text, content)))
                .isEqualTo(PLAIN);
        assertThat(decompressed(protocol, "gzip", join(gzipHeader(16), text, content)))
                .isEqualTo(PLAIN);
        byte[] all = withChecksum(join(gzipHeader(31), extra, text, text));
        assertThat(decompressed(protocol, "gzip", join(all, content, all, content)))
                .isEqualTo(join(PLAIN, PLAIN));
        all[all.length - 1] ^= 1;
        assertFails(protocol, "gzip", join(all, content));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void decompressesAllMembersOfAGzipBody(Protocol protocol) throws Exception {
        byte[] twice = decompressed(protocol, "gzip", join(gzip(PLAIN), gzip(new byte[0]), gzip(PLAIN)));

        assertThat(twice).isEqualTo(join(PLAIN, PLAIN));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void passesOtherContentEncodingsOnUnchanged(Protocol protocol) throws Exception {
        byte[] twice = gzip(gzip(PLAIN));
        assertPassedOn(protocol, "zstd", ZSTD_OF_ONE_GIB);
        assertPassedOn(protocol, "snappy", snappy(PLAIN));
        assertPassedOn(protocol, "br", new byte[] {0x0b, 2, (byte) 0x80, 'x', 3});
        assertPassedOn(protocol, "compress", PLAIN);
        assertPassedOn(protocol, "gzip, gzip", twice);
        assertPassedOn(protocol, "deflate, gzip", twice);
        assertPassedOn(protocol, "notgzip", PLAIN);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void failsForATruncatedBody(Protocol protocol) throws Exception {
        byte[] gzip = gzip(PLAIN);
        byte[] deflate = deflate(PLAIN, false);
        byte[] raw = deflate(PLAIN, true);
        for (int missing : new int[] {1, 4, 8, 12, gzip.length - 12, gzip.length - 5, gzip.length - 1}) {
            assertFails(protocol, "gzip", Arrays.copyOf(gzip, gzip.length - missing));
        }
        assertFails(protocol, "gzip", join(gzip, Arrays.copyOf(gzip, 15)));
        assertFails(protocol, "deflate", Arrays.copyOf(deflate, deflate.length - 10));
        assertFails(protocol, "deflate", Arrays.copyOf(deflate, 1));
        assertFails(protocol, "deflate", Arrays.copyOf(raw, raw.length - 10));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void failsForACorruptBody(Protocol protocol) throws Exception {
        byte[] wrongSum = gzip(PLAIN);
        wrongSum[wrongSum.length - 8] ^= 1;
        byte[] wrongLength = gzip(PLAIN);
        wrongLength[wrongLength.length - 4] ^= 1;
        assertFails(protocol, "gzip", wrongSum);
        assertFails(protocol, "gzip", wrongLength);
        assertFails(protocol, "gzip", PLAIN);
        assertFails(protocol, "gzip", join(gzip(PLAIN), "trailing garbage".getBytes(StandardCharsets.ISO_8859_1)));
        assertFails(protocol, "deflate", "this is not deflate".getBytes(StandardCharsets.ISO_8859_1));
        assertFails(protocol, "deflate", new byte[] {0x78, (byte) 0xbb, 1, 2, 3, 4, 0, 0}); // Requires a dictionary.
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void limitsTheSizeOfADecompressedBody(Protocol protocol) throws Exception {
        byte[] bomb = gzip(new byte[64 << 20]);
        AtomicInteger reserved = new AtomicInteger();
        HttpResult result = call(protocol, "gzip", bomb, bytes -> reserved.addAndGet(bytes) > 0);

        assertThat(result).isInstanceOfSatisfying(Response.class, response -> {
            assertThat(response.truncated()).isTrue();
            assertThat(response.body()).hasSize(512 << 10);
        });
        assertThat(reserved).hasValueLessThanOrEqualTo(512 << 10);
    }

    @Test
    void keepsTheNextCallOnTheConnectionIntact() throws Exception {
        byte[] compressed = gzip(PLAIN);
        ScriptedServer server = server(connection -> {
            for (int i = 0; connection.read() != null; i++) {
                connection.send("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n"
                        + (i % 2 == 0 ? "Content-Encoding: gzip\n\n" : "\n"));
                byte[] body = i % 2 == 0 ? compressed : PLAIN;
                for (int from = 0; from < body.length; from += 7) {
                    byte[] chunk = Arrays.copyOfRange(body, from, Math.min(body.length, from + 7));
                    connection.send(chunk.length + "\n");
                    connection.sendBytes(chunk);
                    connection.send("\n");
                }
                connection.send("0\n\n");
            }
        });
        TestExecutor executor = executor();
        for (int i = 0; i < 4; i++) {
            assertThat(executor.response(get(server.port(), "/")).body()).isEqualTo(PLAIN);
        }
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void endsABodyThatDecompressesToNothing() throws Exception {
        byte[] head = Arrays.copyOf(gzip(PLAIN), 10);
        byte[] emptyBlocks = new byte[5 * 10_000];
        for (int i = 0; i < emptyBlocks.length; i += 5) {
            emptyBlocks[i + 3] = (byte) 0xff;
            emptyBlocks[i + 4] = (byte) 0xff;
        }
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.send("HTTP/1.1 200 OK\nContent-Encoding: gzip\n\n");
            connection.sendBytes(head);
            while (true) {
                connection.sendBytes(emptyBlocks);
            }
        });
        TestExecutor executor = executor();
        Response response = executor.response(get(server.port(), "/"));

        assertThat(response.truncated()).isTrue();
        assertThat(response.body()).isEmpty();
        executor.awaitNoConnections();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: 0\n\n",
                "HTTP/1.1 200 OK\nContent-Encoding: gzip\nTransfer-Encoding: chunked\n\n0\n\n",
                "HTTP/1.1 304 Not Modified\nContent-Encoding: gzip\nContent-Length: 5000\n\n"
            })
    void acceptsAnEmptyBodyWithAContentEncoding(String empty) {
        ScriptedServer server = server(respondingWith(empty));

        assertThat(executor().response(get(server.port(), "/")).body()).isEmpty();
    }

    @Test
    void passesAPartOfACompressedBodyOnUnchanged() throws Exception {
        byte[] part = Arrays.copyOfRange(gzip(PLAIN), 5, 25);
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.send("HTTP/1.1 206 Partial Content\nContent-Encoding: gzip\nContent-Range: bytes 5-24/50\n"
                    + "Content-Length: 20\n\n");
            connection.sendBytes(part);
        });
        Response response = executor().response(get(server.port(), "/"));

        assertThat(response.body()).isEqualTo(part);
        assertThat(response.headers()).contains(new Header("content-encoding", "gzip"));
    }

    private byte[] decompressed(Protocol protocol, String coding, byte[] body) throws Exception {
        Response response = (Response) call(protocol, coding, body, TestExecutor.UNLIMITED);
        assertThat(response.truncated()).isFalse();
        assertThat(response.headers()).extracting(Header::name).doesNotContain("content-encoding", "content-length");
        return response.body();
    }

    private void assertPassedOn(Protocol protocol, String coding, byte[] body) throws Exception {
        HttpResult result = call(protocol, coding, body, TestExecutor.UNLIMITED);
        assertThat(result).as(coding).isInstanceOfSatisfying(Response.class, response -> {
            assertThat(response.body()).as(coding).isEqualTo(body);
            assertThat(response.headers()).contains(new Header("content-encoding", coding));
        });
    }

    private void assertFails(Protocol protocol, String coding, byte[] body) throws Exception {
        HttpResult.Failure failure = TestExecutor.failure(call(protocol, coding, body, TestExecutor.UNLIMITED));
        assertThat(failure.code()).as("%d bytes", body.length).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        assertThat(failure.sent()).isEqualTo(SentStatus.MAYBE);
        assertThat(failure.message()).contains(coding);
    }

    private HttpResult call(Protocol protocol, String coding, byte[] body, BodyBudget budget) throws Exception {
        HttpRequest request;
        TestExecutor executor;
        if (protocol == Protocol.HTTP_1) {
            ScriptedServer server = server(connection -> {
                connection.read();
                connection.send(
                        "HTTP/1.1 200 OK\nContent-Encoding: " + coding + "\nContent-Length: " + body.length + "\n\n");
                connection.sendBytes(body);
                connection.awaitClose();
            });
            executor = executor();
            request = get(server.port(), "/");
        } else {
            Http2Target target = open(new Http2Target(AUTHORITY.target()));
            target.respondWith("/", coding, body);
            executor = open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));
            request = new HttpRequest("GET", new TargetUrl("https", "127.0.0.1", target.port(), "/"), List.of(), null);
        }
        return executor.call(request, Duration.ofSeconds(20), budget).join();
    }

    private static byte[] deflate(byte[] plain, boolean raw) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, raw);
        try (DeflaterOutputStream zip = new DeflaterOutputStream(bytes, deflater)) {
            zip.write(plain);
        } finally {
            deflater.end();
        }
        return bytes.toByteArray();
    }

    /** Returns the fixed part of the header of a gzip member (RFC 1952, section 2.3). */
    private static byte[] gzipHeader(int flags) {
        return new byte[] {0x1f, (byte) 0x8b, 8, (byte) flags, 0, 0, 0, 0, 0, 3};
    }

    private static byte[] withChecksum(byte[] gzipHeader) {
        CRC32 sum = new CRC32();
        sum.update(gzipHeader);
        return join(gzipHeader, new byte[] {(byte) sum.getValue(), (byte) (sum.getValue() >> 8)});
    }

    private static byte[] snappy(byte[] plain) {
        EmbeddedChannel encoder = new EmbeddedChannel(new SnappyFrameEncoder());
        encoder.writeOutbound(Unpooled.wrappedBuffer(plain));
        ByteBuf encoded = encoder.readOutbound();
        byte[] bytes = ByteBufUtil.getBytes(encoded);
        encoded.release();
        encoder.finishAndReleaseAll();
        return bytes;
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
