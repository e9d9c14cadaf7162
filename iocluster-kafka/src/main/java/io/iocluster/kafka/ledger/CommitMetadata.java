package io.iocluster.kafka.ledger;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.apache.kafka.common.Uuid;

/**
 * Encodes and decodes the metadata of an offset commit: the topic that the offset belongs to, and the offsets that are
 * completed above it, so that the next owner of the partition neither skips records nor reads them twice. Stateless.
 *
 * <p>Base64url of: version, whether deflated, CRC32C, the topic id, then the runs as varints. Version 3 has one more
 * varint before the runs: the number of partitions of the topic when the group started at its end. If that number is 0,
 * version 2 is written, which older nodes can read. The checksum covers the cluster id, the topic id, the committed
 * offset and the plain varints, so that runs are never applied to another offset than the one they were written for.
 */
public final class CommitMetadata {

    /** The default of the broker's {@code offset.metadata.max.bytes}, in characters. */
    static final int DEFAULT_MAX_CHARACTERS = 4_096;

    /** Length from which a partition is paused, until calls have ended and the metadata is shorter. */
    static final int PAUSE_CHARACTERS = 3_072;

    private static final byte WITHOUT_INITIAL_PARTITIONS = 2;
    private static final byte WITH_INITIAL_PARTITIONS = 3;
    private static final byte PLAIN = 0;
    private static final byte DEFLATED = 1;
    private static final int HEADER_BYTES = 22;
    private static final int MAX_BYTES = 1 << 20;

    private CommitMetadata() {}

    /** The content of a commit's metadata. */
    public sealed interface DecodedMetadata {}

    /**
     * Offsets that are completed above the committed offset. An empty text, which other tools commit, has no runs.
     *
     * @param initialPartitions number of partitions of the topic when the group started at its end, or 0
     * @param runs see {@link OffsetLedger#completedRuns}
     */
    public record CompletedOffsets(int initialPartitions, int[] runs) implements DecodedMetadata {}

    /** The commit belongs to a previous topic of the same name; its offset is meaningless. */
    public record RecreatedTopic() implements DecodedMetadata {}

    /** The text was written by another program, is damaged, or belongs to another offset or another cluster. */
    public record UnreadableMetadata() implements DecodedMetadata {}

    /** Encodes runs with the default limit; see {@link #encode(ClusterTopicId, int, long, int[], int)}. */
    public static String encode(ClusterTopicId topicId, int initialPartitions, long base, int[] runs) {
        return encode(topicId, initialPartitions, base, runs, DEFAULT_MAX_CHARACTERS);
    }

    /**
     * Encodes runs from {@link OffsetLedger#completedRuns}. If they exceed the limit, the highest runs are omitted;
     * their records may be redelivered, but are never lost.
     *
     * @param limit maximum length in characters
     * @return empty if the limit is too small for any metadata
     */
    static String encode(ClusterTopicId topicId, int initialPartitions, long base, int[] runs, int limit) {
        int count = runs.length;
        String text = encodeRuns(topicId, initialPartitions, base, runs, count);
        while (text.length() > limit) {
            if (count == 0) {
                return "";
            }
            // Even, because the last run must be completed offsets.
            count = Math.min(count - 2, (int) ((long) count * (limit - 64) / text.length())) & ~1;
            count = Math.max(0, count);
            text = encodeRuns(topicId, initialPartitions, base, runs, count);
        }
        return text;
    }

    private static String encodeRuns(ClusterTopicId topicId, int initialPartitions, long base, int[] runs, int count) {
        ByteBuffer plain = ByteBuffer.allocate((1 + count) * 5);
        if (initialPartitions > 0) {
            putVarint(plain, initialPartitions);
        }
        for (int i = 0; i < count; i++) {
            putVarint(plain, runs[i]);
        }
        byte[] bytes = Arrays.copyOf(plain.array(), plain.position());
        byte[] deflated = deflate(bytes);
        boolean shorter = deflated.length < bytes.length;
        byte[] body = shorter ? deflated : bytes;
        ByteBuffer all = ByteBuffer.allocate(HEADER_BYTES + body.length)
                .put(initialPartitions > 0 ? WITH_INITIAL_PARTITIONS : WITHOUT_INITIAL_PARTITIONS)
                .put(shorter ? DEFLATED : PLAIN)
                .putInt(checksum(topicId, base, bytes))
                .putLong(topicId.topic().getMostSignificantBits())
                .putLong(topicId.topic().getLeastSignificantBits())
                .put(body);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(all.array());
    }

    private static void putVarint(ByteBuffer to, int value) {
        int remaining = value;
        while ((remaining & ~0x7F) != 0) {
            to.put((byte) (remaining | 0x80));
            remaining >>>= 7;
        }
        to.put((byte) remaining);
    }

    /** Decodes the metadata of an offset that was committed under the name of this topic. */
    public static DecodedMetadata decode(ClusterTopicId topicId, long base, String text) {
        if (text == null || text.isEmpty()) {
            return new CompletedOffsets(0, new int[0]);
        }
        try {
            byte[] all = Base64.getUrlDecoder().decode(text.getBytes(StandardCharsets.ISO_8859_1));
            if (all.length < HEADER_BYTES
                    || (all[0] != WITHOUT_INITIAL_PARTITIONS && all[0] != WITH_INITIAL_PARTITIONS)
                    || (all[1] != PLAIN && all[1] != DEFLATED)) {
                return new UnreadableMetadata();
            }
            byte[] body = Arrays.copyOfRange(all, HEADER_BYTES, all.length);
            byte[] plain = all[1] == DEFLATED ? inflate(body) : body;
            ByteBuffer head = ByteBuffer.wrap(all, 2, HEADER_BYTES - 2);
            int checksum = head.getInt();
            ClusterTopicId committed = new ClusterTopicId(topicId.cluster(), new Uuid(head.getLong(), head.getLong()));
            int[] values = checksum == checksum(committed, base, plain) ? varints(plain) : null;
            boolean withInitialPartitions = all[0] == WITH_INITIAL_PARTITIONS;
            if (values == null || (withInitialPartitions && values.length == 0)) {
                return new UnreadableMetadata();
            }
            if (committed.isReplacedBy(topicId)) {
                return new RecreatedTopic();
            }
            return withInitialPartitions
                    ? new CompletedOffsets(values[0], Arrays.copyOfRange(values, 1, values.length))
                    : new CompletedOffsets(0, values);
        } catch (IllegalArgumentException | DataFormatException invalid) {
            return new UnreadableMetadata();
        }
    }

    private static int[] varints(byte[] plain) {
        int[] values = new int[plain.length];
        int count = 0;
        int value = 0;
        int shift = 0;
        for (byte b : plain) {
            if (shift > 28) {
                return null;
            }
            value |= (b & 0x7F) << shift;
            shift += 7;
            if (b >= 0) {
                if (value < 0) {
                    return null;
                }
                values[count++] = value;
                value = 0;
                shift = 0;
            }
        }
        return shift == 0 ? Arrays.copyOf(values, count) : null;
    }

    private static int checksum(ClusterTopicId topicId, long base, byte[] plain) {
        CRC32C crc = new CRC32C();
        crc.update(topicId.cluster().getBytes(StandardCharsets.UTF_8));
        crc.update(ByteBuffer.allocate(24)
                .putLong(topicId.topic().getMostSignificantBits())
                .putLong(topicId.topic().getLeastSignificantBits())
                .putLong(base)
                .flip());
        crc.update(plain);
        return (int) crc.getValue();
    }

    private static byte[] deflate(byte[] plain) {
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        try {
            deflater.setInput(plain);
            deflater.finish();
            byte[] out = new byte[plain.length + 64];
            return Arrays.copyOf(out, deflater.deflate(out));
        } finally {
            deflater.end();
        }
    }

    private static byte[] inflate(byte[] deflated) throws DataFormatException {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(deflated);
            byte[] out = new byte[Math.min(MAX_BYTES, 1_024 + deflated.length * 16)];
            int length = 0;
            while (!inflater.finished()) {
                int read = inflater.inflate(out, length, out.length - length);
                length += read;
                if (length == out.length && length < MAX_BYTES) {
                    out = Arrays.copyOf(out, Math.min(MAX_BYTES, length * 2));
                } else if (read == 0) {
                    throw new DataFormatException("truncated or too long");
                }
            }
            return Arrays.copyOf(out, length);
        } finally {
            inflater.end();
        }
    }
}
