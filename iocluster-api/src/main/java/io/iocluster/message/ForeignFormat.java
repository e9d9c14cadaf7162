package io.iocluster.message;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;

/**
 * A format that senders use instead of JSON in UTF-8, recognized by the first bytes of a message. It explains why a message is not an
 * envelope; it never decides whether it is one. Immutable.
 *
 * @param name completes "the envelope is not JSON but …"
 * @param advice what the sender has to change
 * @param matches recognizes the message
 */
record ForeignFormat(String name, String advice, Predicate<byte[]> matches) {

    private static final String PLAIN = "send plain JSON, for example with a serializer for strings or bytes";
    private static final String UNCOMPRESSED =
            "send it uncompressed; Kafka's own compression.type needs no change in the message";
    private static final String UTF_8 = "send it in UTF-8";
    private static final String JSON = "send JSON";

    /** Magic byte and schema id. */
    private static final int CONFLUENT_BYTES = 5;

    /** Magic byte and schema GUID. */
    private static final int CONFLUENT_GUID_BYTES = 17;

    /** Version, compression and schema version id. */
    private static final int GLUE_BYTES = 18;

    /** The first format that matches applies. UTF-16 and UTF-32 come first, because they begin with a zero like a Confluent record. */
    private static final List<ForeignFormat> ALL = List.of(
            new ForeignFormat("empty", "send a JSON object as the message's body or value", bytes -> bytes.length == 0),
            prefix("0000feff", "in UTF-32", UTF_8),
            prefix("fffe0000", "in UTF-32", UTF_8),
            prefix("0000007b000000", "in UTF-32", UTF_8),
            prefix("7b000000", "in UTF-32", UTF_8),
            prefix("feff", "in UTF-16", UTF_8),
            prefix("fffe", "in UTF-16", UTF_8),
            prefix("007b00", "in UTF-16", UTF_8),
            prefix("7b00", "in UTF-16", UTF_8),
            prefix(
                    "00",
                    CONFLUENT_BYTES,
                    "framed by a Confluent serializer for JSON, Avro or Protobuf (byte 0 and a schema id)",
                    PLAIN),
            prefix(
                    "01",
                    CONFLUENT_GUID_BYTES,
                    "framed by a Confluent serializer for JSON, Avro or Protobuf (byte 1 and a schema GUID)",
                    PLAIN),
            prefix("0300", GLUE_BYTES, "framed by a serializer of the AWS Glue Schema Registry", PLAIN),
            prefix("0305", GLUE_BYTES, "framed and compressed by a serializer of the AWS Glue Schema Registry", PLAIN),
            prefix("1f8b", "compressed with gzip", UNCOMPRESSED),
            prefix("28b52ffd", "compressed with zstd", UNCOMPRESSED),
            prefix("04224d18", "compressed with LZ4", UNCOMPRESSED),
            prefix("ff060000734e61507059", "compressed with Snappy", UNCOMPRESSED),
            prefix("82534e4150505900", "compressed with Snappy", UNCOMPRESSED),
            prefix("7801", "compressed with zlib", UNCOMPRESSED),
            prefix("785e", "compressed with zlib", UNCOMPRESSED),
            prefix("789c", "compressed with zlib", UNCOMPRESSED),
            prefix("78da", "compressed with zlib", UNCOMPRESSED),
            prefix("425a68", "compressed with bzip2", UNCOMPRESSED),
            prefix("fd377a585a00", "compressed with xz", UNCOMPRESSED),
            prefix("504b0304", "a ZIP archive", UNCOMPRESSED),
            prefix("aced0005", "a serialized Java object", JSON),
            prefix("4f626a01", "an Avro file", JSON),
            prefix("c301", "a single Avro object", JSON),
            prefix("3a290a", "in the binary format Smile", JSON),
            prefix("d9d9f7", "in the binary format CBOR", JSON),
            map(0xa0, 0xbf, 0x60, 0x7b, "in the binary format CBOR"),
            map(0x81, 0x8f, 0xa0, 0xbf, "in the binary format MessagePack"),
            prefix("de00", "in the binary format MessagePack", JSON),
            prefix("225b", "a JSON string that contains JSON", "encode it once, not twice"),
            prefix("227b", "a JSON string that contains JSON", "encode it once, not twice"),
            prefix("65794a", "base64 of JSON", "send the JSON itself"),
            prefix("5b", "a JSON list", "send each call as a message, or use the fields any or all"),
            prefix("3c", "XML or HTML", JSON));

    private static ForeignFormat prefix(String hex, String name, String advice) {
        return prefix(hex, 0, name, advice);
    }

    private static ForeignFormat prefix(String hex, int minLength, String name, String advice) {
        byte[] prefix = HexFormat.of().parseHex(hex);
        return new ForeignFormat(name, advice, bytes -> bytes.length >= minLength && startsWith(bytes, prefix));
    }

    /** Returns a format whose maps begin with a byte in the first range, followed by the first name, in the second range. */
    private static ForeignFormat map(int firstMap, int lastMap, int firstText, int lastText, String name) {
        return new ForeignFormat(
                name,
                JSON,
                bytes -> bytes.length > 1
                        && isBetween(bytes[0], firstMap, lastMap)
                        && isBetween(bytes[1], firstText, lastText));
    }

    private static boolean isBetween(byte value, int first, int last) {
        return Byte.toUnsignedInt(value) >= first && Byte.toUnsignedInt(value) <= last;
    }

    private static boolean startsWith(byte[] bytes, byte[] prefix) {
        return bytes.length >= prefix.length && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
    }

    /** Returns what the message is instead of an envelope and what to change, to follow "is not …"; empty if its format is unknown. */
    static String explain(byte[] message) {
        for (ForeignFormat format : ALL) {
            if (format.matches().test(message)) {
                return " but " + format.name() + ": " + format.advice();
            }
        }
        return "";
    }
}
