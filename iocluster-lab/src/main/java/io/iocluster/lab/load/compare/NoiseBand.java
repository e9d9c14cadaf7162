package io.iocluster.lab.load.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The noise of a difference between two runs, by the method of batch means. The values of both runs are paired by their time in the
 * phase, so that a rate that rises over the phase is no noise. The differences form up to ten consecutive blocks, because neighbours
 * are alike. The noise is half of the 95 % confidence interval of the mean over the blocks.
 */
final class NoiseBand {

    private static final int MAX_BLOCKS = 10;
    private static final int MIN_BLOCKS = 5;

    /** Two-sided 95 % quantiles of Student's t distribution for 4 to 9 degrees of freedom. */
    private static final double[] QUANTILES = {2.776, 2.571, 2.447, 2.365, 2.306, 2.262};

    private NoiseBand() {}

    /**
     * Returns the noise of the mean difference; empty if there are fewer than five values in common.
     *
     * @param a one value for each interval of the phase; NaN if there is none
     * @param b the same of the other run
     */
    static OptionalDouble ofDifference(double[] a, double[] b) {
        List<Double> differences = new ArrayList<>();
        for (int i = 0; i < Math.min(a.length, b.length); i++) {
            double difference = b[i] - a[i];
            if (Double.isFinite(difference)) {
                differences.add(difference);
            }
        }
        int blocks = Math.min(MAX_BLOCKS, differences.size());
        if (blocks < MIN_BLOCKS) {
            return OptionalDouble.empty();
        }
        double[] means = blockMeans(differences, blocks);
        double mean = 0;
        for (double each : means) {
            mean += each / blocks;
        }
        double squares = 0;
        for (double each : means) {
            squares += (each - mean) * (each - mean);
        }
        double standardError = Math.sqrt(squares / (blocks - 1) / blocks);
        return OptionalDouble.of(QUANTILES[blocks - MIN_BLOCKS] * standardError);
    }

    private static double[] blockMeans(List<Double> values, int blocks) {
        double[] means = new double[blocks];
        for (int block = 0; block < blocks; block++) {
            int from = (int) ((long) values.size() * block / blocks);
            int to = (int) ((long) values.size() * (block + 1) / blocks);
            means[block] = values.subList(from, to).stream()
                    .mapToDouble(Double::doubleValue)
                    .average()
                    .orElseThrow();
        }
        return means;
    }
}
