package io.iocluster.message;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.util.Base64;
import java.util.HexFormat;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which reason a message gets that is not an envelope, because its sender used another format. */
class ForeignFormatTest {

    private static final String ENVELOPE = "{\"url\":\"http://a.example/\"}";
    private static final String PLAIN = "send plain JSON, for example with a serializer for strings or bytes";
    private static final String UNCOMPRESSED = "send it uncompressed;";
    private static final String UTF_8_ADVICE = "send it in UTF-8";

    static Stream<Arguments> formats() throws IOException {
        return Stream.of(
                Arguments.of(new byte[0], "empty", "send a JSON object"),
                Arguments.of(framed("0000000011"), "framed by a Confluent serializer", PLAIN),
                Arguments.of(framed("000000007b"), "framed by a Confluent serializer", PLAIN),
                Arguments.of(framed("00000186a1"), "framed by a Confluent serializer", PLAIN),
                Arguments.of(framed("01" + "5f".repeat(16)), "framed by a Confluent serializer", PLAIN),
                Arguments.of(
                        framed("0300" + "5f".repeat(16)),
                        "framed by a serializer of the AWS Glue Schema Registry",
                        PLAIN),
                Arguments.of(
                        framed("0305" + "5f".repeat(16)), "framed and compressed by a serializer of the AWS", PLAIN),
                Arguments.of(gzip(), "compressed with gzip", UNCOMPRESSED),
                Arguments.of(zlib(), "compressed with zlib", UNCOMPRESSED),
                Arguments.of(framed("28b52ffd20"), "compressed with zstd", UNCOMPRESSED),
                Arguments.of(framed("04224d18"), "compressed with LZ4", UNCOMPRESSED),
                Arguments.of(framed("82534e4150505900"), "compressed with Snappy", UNCOMPRESSED),
                Arguments.of(ENVELOPE.getBytes(UTF_16), "in UTF-16", UTF_8_ADVICE),
                Arguments.of(ENVELOPE.getBytes(UTF_16BE), "in UTF-16", UTF_8_ADVICE),
                Arguments.of(ENVELOPE.getBytes(UTF_16LE), "in UTF-16", UTF_8_ADVICE),
                Arguments.of(("\uFEFF" + ENVELOPE).getBytes(UTF_16LE), "in UTF-16", UTF_8_ADVICE),
                Arguments.of(ENVELOPE.getBytes(Charset.forName("UTF-32BE")), "in UTF-32", UTF_8_ADVICE),
                Arguments.of(ENVELOPE.getBytes(Charset.forName("UTF-32LE")), "in UTF-32", UTF_8_ADVICE),
                Arguments.of(("\uFEFF" + ENVELOPE).getBytes(Charset.forName("UTF-32BE")), "in UTF-32", UTF_8_ADVICE),
                Arguments.of(serialized(), "a serialized Java object", "send JSON"),
                Arguments.of(framed("4f626a01"), "an Avro file", "send JSON"),
                Arguments.of(framed("c3010203"), "a single Avro object", "send JSON"),
                Arguments.of(framed("81a375726cb3"), "in the binary format MessagePack", "send JSON"),
                Arguments.of(framed("a16375726c73"), "in the binary format CBOR", "send JSON"),
                Arguments.of(framed("d9d9f7a1"), "in the binary format CBOR", "send JSON"),
                Arguments.of(
                        "\"{\\\"url\\\":\\\"http://a.example/\\\"}\"".getBytes(UTF_8),
                        "a JSON string that contains JSON",
                        "encode it once"),
                Arguments.of(
                        Base64.getEncoder().encode(ENVELOPE.getBytes(UTF_8)), "base64 of JSON", "send the JSON itself"),
                Arguments.of(("[" + ENVELOPE + "]").getBytes(UTF_8), "a JSON list", "send each call as a message"),
                Arguments.of("<call/>".getBytes(UTF_8), "XML or HTML", "send JSON"));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void namesTheFormatAndWhatToDo(byte[] message, String format, String advice) {
        assertThat(reason(message))
                .matches("the envelope is not (UTF-8|a JSON object|valid JSON) but .*")
                .contains(" but " + format, ": " + advice);
    }

    @Test
    void anUnknownFormatHasAGeneralReason() {
        assertThat(reason(new byte[] {(byte) 0xfe, 1})).isEqualTo("the envelope is not UTF-8");
        assertThat(reason("5".getBytes(UTF_8))).isEqualTo("the envelope is not a JSON object");
        assertThat(reason("{".getBytes(UTF_8))).startsWith("not valid JSON");
        assertThat(reason("url".getBytes(UTF_8))).startsWith("not valid JSON");
    }

    @Test
    void anEnvelopeMayBeginWithTheByteOrderMarkOfUtf8() {
        assertThat(new RequestDecoder(1_000, 1).decode(("\uFEFF" + ENVELOPE).getBytes(UTF_8)))
                .isInstanceOf(DecodedRequest.Valid.class);
    }

    private static String reason(byte[] message) {
        DecodedRequest decoded = new RequestDecoder(1_000, 1).decode(message);
        assertThat(decoded).isInstanceOf(DecodedRequest.Malformed.class);
        return ((DecodedRequest.Malformed) decoded).message();
    }

    private static byte[] framed(String hex) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(HexFormat.of().parseHex(hex));
        bytes.write(ENVELOPE.getBytes(UTF_8));
        return bytes.toByteArray();
    }

    private static byte[] gzip() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(ENVELOPE.getBytes(UTF_8));
        }
        return bytes.toByteArray();
    }

    private static byte[] zlib() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new DeflaterOutputStream(bytes)) {
            out.write(ENVELOPE.getBytes(UTF_8));
        }
        return bytes.toByteArray();
    }

    private static byte[] serialized() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(ENVELOPE);
        }
        return bytes.toByteArray();
    }
}
