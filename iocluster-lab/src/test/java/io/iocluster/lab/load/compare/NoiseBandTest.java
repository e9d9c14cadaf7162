package io.iocluster.lab.load.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NoiseBandTest {

    @Test
    void theNoiseIsHalfOfTheConfidenceIntervalOfTheBlocksMean() {
        // Ten blocks with differences of 1 and 3 in turns: mean 2, standard deviation sqrt(10/9), quantile 2.262.
        double[] a = new double[10];
        double[] b = IntStream.range(0, 10).mapToDouble(i -> i % 2 == 0 ? 1 : 3).toArray();

        assertThat(NoiseBand.ofDifference(a, b).getAsDouble())
                .isCloseTo(2.262 * Math.sqrt(10.0 / 9 / 10), within(1e-9));
    }

    @Test
    void aRateThatRisesInBothRunsIsNoNoise() {
        double[] a = IntStream.range(0, 60).mapToDouble(i -> i * 10).toArray();
        double[] b = IntStream.range(0, 60).mapToDouble(i -> i * 10 + 5).toArray();

        assertThat(NoiseBand.ofDifference(a, b).getAsDouble()).isCloseTo(0, within(1e-9));
    }

    @Test
    void fewValuesInCommonGiveNoNoise() {
        assertThat(NoiseBand.ofDifference(new double[4], new double[100])).isEmpty();
        assertThat(NoiseBand.ofDifference(new double[] {1, 2, Double.NaN, 4, 5}, new double[] {1, 2, 3, 4, 5}))
                .isEmpty();
    }

    @Test
    void about95PercentOfEqualRunsDifferByLessThanTheNoise() {
        Random random = new Random(7);
        int inside = 0;
        for (int run = 0; run < 400; run++) {
            double[] a = IntStream.range(0, 60)
                    .mapToDouble(i -> random.nextGaussian())
                    .toArray();
            double[] b = IntStream.range(0, 60)
                    .mapToDouble(i -> random.nextGaussian())
                    .toArray();
            double difference = IntStream.range(0, 60)
                    .mapToDouble(i -> b[i] - a[i])
                    .average()
                    .getAsDouble();
            if (Math.abs(difference) <= NoiseBand.ofDifference(a, b).getAsDouble()) {
                inside++;
            }
        }

        assertThat(inside / 400.0).isBetween(0.91, 0.985);
    }
}
