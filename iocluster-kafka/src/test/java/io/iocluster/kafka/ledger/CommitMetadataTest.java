package io.iocluster.kafka.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.kafka.ledger.CommitMetadata.CompletedOffsets;
import io.iocluster.kafka.ledger.CommitMetadata.RecreatedTopic;
import io.iocluster.kafka.ledger.CommitMetadata.UnreadableMetadata;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommitMetadataTest {

    private static final ClusterTopicId TOPIC_ID = new ClusterTopicId("cluster", new Uuid(1, 2));

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void decodesWhatItEncoded(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            long base = random.nextLong() >>> 1;
            int[] runs = random.ints(2L * (1 + random.nextInt(150)), 1, 1 << (1 + random.nextInt(17)))
                    .toArray();

            String text = CommitMetadata.encode(TOPIC_ID, round % 2 * round, base, runs);

            assertThat(text.length()).isLessThanOrEqualTo(CommitMetadata.DEFAULT_MAX_CHARACTERS);
            assertThat(decoded(TOPIC_ID, base, text)).isEqualTo(runs);
        }
    }

    @Test
    void decodesAnEmptyTextAsNoCompletedOffsets() {
        assertThat(decoded(TOPIC_ID, 5, "")).isEmpty();
        assertThat(decoded(TOPIC_ID, 5, null)).isEmpty();
        assertThat(decoded(TOPIC_ID, 5, CommitMetadata.encode(TOPIC_ID, 0, 5, new int[0])))
                .isEmpty();
    }

    @Test
    void detectsACommitOfAPreviousTopicOfTheSameName() {
        ClusterTopicId recreated = new ClusterTopicId(TOPIC_ID.cluster(), Uuid.randomUuid());

        for (int[] runs : new int[][] {{}, {1, 2, 3, 4}}) {
            String text = CommitMetadata.encode(TOPIC_ID, 0, 1_000, runs);
            assertThat(CommitMetadata.decode(recreated, 1_000, text)).isEqualTo(new RecreatedTopic());
        }
    }

    @Test
    void ignoresACommitFromAnotherCluster() {
        ClusterTopicId mirror = new ClusterTopicId("mirror", Uuid.randomUuid());

        String text = CommitMetadata.encode(TOPIC_ID, 0, 1_000, new int[] {1, 2, 3, 4});

        assertThat(CommitMetadata.decode(mirror, 1_000, text)).isEqualTo(new UnreadableMetadata());
    }

    @Test
    void ignoresTopicIdsIfTheBrokerHasNone() {
        ClusterTopicId withoutId = new ClusterTopicId(TOPIC_ID.cluster(), Uuid.ZERO_UUID);

        assertThat(decoded(TOPIC_ID, 5, CommitMetadata.encode(withoutId, 0, 5, new int[] {1, 2})))
                .containsExactly(1, 2);
        assertThat(decoded(withoutId, 5, CommitMetadata.encode(TOPIC_ID, 0, 5, new int[] {1, 2})))
                .containsExactly(1, 2);
    }

    @Test
    void omitsTheHighestRunsWhenTheTextIsTooLong() {
        int[] runs = new Random(1).ints(20_000, 1, 200_000).toArray();

        String text = CommitMetadata.encode(TOPIC_ID, 0, 7, runs);

        assertThat(text.length()).isBetween(CommitMetadata.PAUSE_CHARACTERS, CommitMetadata.DEFAULT_MAX_CHARACTERS);
        int[] read = decoded(TOPIC_ID, 7, text);
        assertThat(read.length).isPositive().isEven();
        assertThat(read).isEqualTo(Arrays.copyOf(runs, read.length));
    }

    @Test
    void containsTheInitialPartitionCount() {
        assertThat(CommitMetadata.decode(TOPIC_ID, 7, CommitMetadata.encode(TOPIC_ID, 1_500, 7, new int[] {1, 2})))
                .isInstanceOfSatisfying(CompletedOffsets.class, found -> {
                    assertThat(found.initialPartitions()).isEqualTo(1_500);
                    assertThat(found.runs()).containsExactly(1, 2);
                });
    }

    @Test
    void isShortForRegularPatterns() {
        int[] runs = new int[4_000];
        Arrays.fill(runs, 3);

        assertThat(CommitMetadata.encode(TOPIC_ID, 0, 0, runs).length()).isLessThan(100);
    }

    @Test
    void isUnreadableWithAnotherOffset() {
        String text = CommitMetadata.encode(TOPIC_ID, 0, 1_000, new int[] {1, 2, 3, 4});

        assertThat(CommitMetadata.decode(TOPIC_ID, 1_001, text)).isEqualTo(new UnreadableMetadata());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "someone else's",
                "bm90IG91cnM",
                "AAAA",
                "AQ",
                "{\"seq\":7}",
                "kAAAAA==",
                "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "ASAAAAAAAAAAAAAA",
                "\u20ac"
            })
    void ignoresTextOfOtherPrograms(String text) {
        assertThat(CommitMetadata.decode(TOPIC_ID, 1, text)).isEqualTo(new UnreadableMetadata());
    }

    @Test
    void detectsDamage() {
        Random random = new Random(42);
        String text =
                CommitMetadata.encode(TOPIC_ID, 0, 9, random.ints(200, 1, 5_000).toArray());
        byte[] bytes = Base64.getUrlDecoder().decode(text);
        for (int round = 0; round < 5_000; round++) {
            byte[] damaged =
                    Arrays.copyOf(bytes, random.nextInt(10) == 0 ? random.nextInt(bytes.length) : bytes.length);
            if (damaged.length > 0) {
                damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            }
            String shown = Base64.getUrlEncoder().withoutPadding().encodeToString(damaged);
            if (!shown.isEmpty()) {
                assertThat(CommitMetadata.decode(TOPIC_ID, 9, shown)).isEqualTo(new UnreadableMetadata());
            }
        }
    }

    private static int[] decoded(ClusterTopicId topicId, long base, String text) {
        return ((CompletedOffsets) CommitMetadata.decode(topicId, base, text)).runs();
    }
}
