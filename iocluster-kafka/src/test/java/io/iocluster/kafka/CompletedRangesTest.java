package io.iocluster.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletedRangesTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void readsBackWhatItWrote(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            long base = random.nextLong() >>> 1;
            int[] runs = random.ints(2L * (1 + random.nextInt(150)), 1, 1 << (1 + random.nextInt(17)))
                    .toArray();

            String text = CompletedRanges.encode(base, runs);

            assertThat(text.length()).isLessThanOrEqualTo(CompletedRanges.LIMIT);
            assertThat(CompletedRanges.decode(base, text)).hasValue(runs);
        }
    }

    @Test
    void writesNothingForNothing() {
        assertThat(CompletedRanges.encode(5, new int[0])).isEmpty();
        assertThat(CompletedRanges.decode(5, "")).hasValue(new int[0]);
        assertThat(CompletedRanges.decode(5, null)).hasValue(new int[0]);
    }

    @Test
    void leavesOutTheHighestRunsWhenItWouldBeTooLong() {
        int[] runs = new Random(1).ints(20_000, 1, 200_000).toArray();

        String text = CompletedRanges.encode(7, runs);

        assertThat(text.length()).isBetween(CompletedRanges.NEARLY_FULL, CompletedRanges.LIMIT);
        int[] read = CompletedRanges.decode(7, text).orElseThrow();
        assertThat(read.length).isPositive().isEven();
        assertThat(read).isEqualTo(Arrays.copyOf(runs, read.length));
    }

    @Test
    void isShortForRegularPatterns() {
        int[] runs = new int[4_000];
        Arrays.fill(runs, 3);

        assertThat(CompletedRanges.encode(0, runs).length()).isLessThan(100);
    }

    @Test
    void isNeverReadAgainstAnotherOffset() {
        String text = CompletedRanges.encode(1_000, new int[] {1, 2, 3, 4});

        assertThat(CompletedRanges.decode(1_001, text)).isEmpty();
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
                "ASAAAAAAAAAAAAAA",
                "\u20ac"
            })
    void ignoresForeignText(String text) {
        assertThat(CompletedRanges.decode(1, text)).isEmpty();
    }

    @Test
    void survivesAnyDamage() {
        Random random = new Random(42);
        String text = CompletedRanges.encode(9, random.ints(200, 1, 5_000).toArray());
        byte[] bytes = Base64.getUrlDecoder().decode(text);
        for (int round = 0; round < 5_000; round++) {
            byte[] damaged =
                    Arrays.copyOf(bytes, random.nextInt(10) == 0 ? random.nextInt(bytes.length) : bytes.length);
            if (damaged.length > 0) {
                damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            }
            String shown = Base64.getUrlEncoder().withoutPadding().encodeToString(damaged);
            if (!shown.isEmpty()) {
                assertThat(CompletedRanges.decode(9, shown)).isEmpty();
            }
        }
    }
}
