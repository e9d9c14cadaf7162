package io.iocluster.node;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Draws keys as Zipf's law with the exponent 1 says: the second most frequent is half as frequent as the first. Confined to one thread. */
public final class ZipfKeys {

    private final double[] cumulative;
    private final SplittableRandom random;

    /** @param seed equal seeds draw equal keys */
    public ZipfKeys(int keys, long seed) {
        cumulative = new double[keys];
        random = new SplittableRandom(seed);
        double total = 0;
        for (int i = 0; i < keys; i++) {
            total += 1.0 / (i + 1);
            cumulative[i] = total;
        }
    }

    /** Returns a number from 0 on. */
    public int next() {
        int at = Arrays.binarySearch(cumulative, random.nextDouble() * cumulative[cumulative.length - 1]);
        return at < 0 ? -at - 1 : at;
    }
}
