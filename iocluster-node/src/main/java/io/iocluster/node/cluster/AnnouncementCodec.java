package io.iocluster.node.cluster;

import io.iocluster.transport.cluster.ClusterChannel;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Encodes and decodes announcements and heartbeats as JSON. Immutable. Anyone may have written a record, so the parser limits depth, names, texts
 * and numbers, and the constructors of {@link NodeAnnouncement} refuse what no node sends. Unknown fields are ignored, so that a later
 * version can add some.
 */
final class AnnouncementCodec {

    private static final StreamReadConstraints LIMITS = StreamReadConstraints.builder()
            .maxDocumentLength(ClusterChannel.MAX_RECORD_BYTES)
            .maxNestingDepth(8)
            .maxNameLength(64)
            .maxStringLength(4_096)
            .maxNumberLength(32)
            .maxTokenCount(10_000)
            .build();

    private static final JsonMapper JSON = JsonMapper.builder(
                    JsonFactory.builder().streamReadConstraints(LIMITS).build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .build();

    /** The result of decoding a record. */
    sealed interface Decoded {

        /** An announcement. */
        record Announced(NodeAnnouncement announcement) implements Decoded {}

        /** A heartbeat. */
        record Renewed(Heartbeat heartbeat) implements Decoded {}

        /** A record that is ignored. */
        record Ignored(IgnoredRecord reason) implements Decoded {}
    }

    private AnnouncementCodec() {}

    /** Returns the record, shortened as far as needed to fit {@link ClusterChannel#MAX_RECORD_BYTES}. */
    static byte[] encode(NodeAnnouncement announcement) {
        NodeAnnouncement shortened = announcement;
        byte[] record = JSON.writeValueAsBytes(shortened);
        while (record.length > ClusterChannel.MAX_RECORD_BYTES) {
            shortened = shortened.smaller();
            record = JSON.writeValueAsBytes(shortened);
        }
        return record;
    }

    static byte[] encode(Heartbeat heartbeat) {
        return JSON.writeValueAsBytes(heartbeat);
    }

    static Decoded decode(byte[] record) {
        try {
            JsonNode tree = JSON.readTree(record);
            JsonNode version = tree.path("v");
            if (version.isIntegralNumber() && version.asLong(0) > Heartbeat.VERSION) {
                return new Decoded.Ignored(IgnoredRecord.UNKNOWN_VERSION);
            }
            return switch (version.isInt() ? version.asInt() : 0) {
                case NodeAnnouncement.VERSION -> new Decoded.Announced(JSON.treeToValue(tree, NodeAnnouncement.class));
                case Heartbeat.VERSION -> new Decoded.Renewed(JSON.treeToValue(tree, Heartbeat.class));
                default -> new Decoded.Ignored(IgnoredRecord.UNREADABLE);
            };
        } catch (JacksonException unreadable) {
            return new Decoded.Ignored(IgnoredRecord.UNREADABLE);
        }
    }
}
