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
 * The text in a commit's metadata that says of which log the committed offset is, and what is done above it, so that the
 * next owner of the partition neither skips nor repeats.
 *
 * <p>Base64url of: version, whether deflated, CRC32C, the topic's id, then the runs as varints. Version 3 has one more varint
 * before the runs: how many partitions the topic had when the group started at its end. Version 2, which older nodes can
 * read, is written if that number is 0. The checksum is over the cluster's id, the topic's, the committed offset and the
 * plain varints, so that a map can never be read against another base than the one it was written for.
 */
public final class CommitMetadata {

    /** The default of the broker's {@code offset.metadata.max.bytes}, in characters. */
    static final int DEFAULT_MAX_CHARACTERS = 4_096;

    /** From here on a partition admits nothing more, until calls have ended and the text is short again. */
    static final int PAUSE_CHARACTERS = 3_072;

    private static final byte RUNS_ONLY = 2;
    private static final byte WITH_START = 3;
    private static final byte PLAIN = 0;
    private static final byte DEFLATED = 1;
    private static final int HEAD = 22;
    private static final int MOST_BYTES = 1 << 20;

    private CommitMetadata() {}

    /** What a commit's metadata says. */
    public sealed interface DecodedMetadata {}

    /**
     * What is done above the committed offset; no runs for an empty text, which is what other tools commit.
     *
     * @param startedWith how many partitions the topic had when the group started at its end, or 0
     */
    public record CompletedOffsets(int initialPartitions, int[] runs) implements DecodedMetadata {}

    /** The commit is of a topic that had this name before: its offset means nothing here. */
    public record RecreatedTopic() implements DecodedMetadata {}

    /** The text is not ours, is damaged, or belongs to another offset or another cluster. */
    public record UnreadableMetadata() implements DecodedMetadata {}

    /** Like {@link #encode(ClusterTopicId, int, long, int[], int)} with the default limit. */
    public static String encode(ClusterTopicId log, int startedWith, long base, int[] runs) {
        return encode(log, startedWith, base, runs, DEFAULT_MAX_CHARACTERS);
    }

    /**
     * Writes runs as they come from {@link OffsetLedger#completedRuns}. If they do not fit the limit, the highest ones are left out:
     * they would be repeated, never lost.
     *
     * @return empty if the limit has no room for any text
     */
    static String encode(ClusterTopicId log, int startedWith, long base, int[] runs, int limit) {
        int count = runs.length;
        String text = write(log, startedWith, base, runs, count);
        while (text.length() > limit) {
            if (count == 0) {
                return "";
            }
            // An even number: a map ends with a run that is done.
            count = Math.min(count - 2, (int) ((long) count * (limit - 64) / text.length())) & ~1;
            count = Math.max(0, count);
            text = write(log, startedWith, base, runs, count);
        }
        return text;
    }

    private static String write(ClusterTopicId log, int startedWith, long base, int[] runs, int count) {
        ByteBuffer plain = ByteBuffer.allocate((1 + count) * 5);
        if (startedWith > 0) {
            putVarint(plain, startedWith);
        }
        for (int i = 0; i < count; i++) {
            putVarint(plain, runs[i]);
        }
        byte[] bytes = Arrays.copyOf(plain.array(), plain.position());
        byte[] deflated = deflate(bytes);
        boolean shorter = deflated.length < bytes.length;
        byte[] body = shorter ? deflated : bytes;
        ByteBuffer all = ByteBuffer.allocate(HEAD + body.length)
                .put(startedWith > 0 ? WITH_START : RUNS_ONLY)
                .put(shorter ? DEFLATED : PLAIN)
                .putInt(checksum(log, base, bytes))
                .putLong(log.topic().getMostSignificantBits())
                .putLong(log.topic().getLeastSignificantBits())
                .put(body);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(all.array());
    }

    private static void putVarint(ByteBuffer to, int value) {
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            to.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        to.put((byte) rest);
    }

    /** Reads the metadata of a commit that was found under the name of this log. */
    public static DecodedMetadata decode(ClusterTopicId log, long base, String text) {
        if (text == null || text.isEmpty()) {
            return new CompletedOffsets(0, new int[0]);
        }
        try {
            byte[] all = Base64.getUrlDecoder().decode(text.getBytes(StandardCharsets.ISO_8859_1));
            if (all.length < HEAD
                    || (all[0] != RUNS_ONLY && all[0] != WITH_START)
                    || (all[1] != PLAIN && all[1] != DEFLATED)) {
                return new UnreadableMetadata();
            }
            byte[] body = Arrays.copyOfRange(all, HEAD, all.length);
            byte[] plain = all[1] == DEFLATED ? inflate(body) : body;
            ByteBuffer head = ByteBuffer.wrap(all, 2, HEAD - 2);
            int checksum = head.getInt();
            ClusterTopicId written = new ClusterTopicId(log.cluster(), new Uuid(head.getLong(), head.getLong()));
            int[] values = checksum == checksum(written, base, plain) ? varints(plain) : null;
            boolean withStart = all[0] == WITH_START;
            if (values == null || (withStart && values.length == 0)) {
                return new UnreadableMetadata();
            }
            if (written.isReplacedBy(log)) {
                return new RecreatedTopic();
            }
            return withStart
                    ? new CompletedOffsets(values[0], Arrays.copyOfRange(values, 1, values.length))
                    : new CompletedOffsets(0, values);
        } catch (IllegalArgumentException | DataFormatException notOurs) {
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

    private static int checksum(ClusterTopicId log, long base, byte[] plain) {
        CRC32C crc = new CRC32C();
        crc.update(log.cluster().getBytes(StandardCharsets.UTF_8));
        crc.update(ByteBuffer.allocate(24)
                .putLong(log.topic().getMostSignificantBits())
                .putLong(log.topic().getLeastSignificantBits())
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
            byte[] out = new byte[Math.min(MOST_BYTES, 1_024 + deflated.length * 16)];
            int length = 0;
            while (!inflater.finished()) {
                int read = inflater.inflate(out, length, out.length - length);
                length += read;
                if (length == out.length && length < MOST_BYTES) {
                    out = Arrays.copyOf(out, Math.min(MOST_BYTES, length * 2));
                } else if (read == 0) {
                    throw new DataFormatException("cut off or too long");
                }
            }
            return Arrays.copyOf(out, length);
        } finally {
            inflater.end();
        }
    }
}
