package io.iocluster.destination.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClusterShareTest {

    @Test
    void thePartsOfALimitAddUpToIt() {
        for (int nodes = 1; nodes <= 20; nodes++) {
            for (int limit = nodes; limit <= 100; limit++) {
                assertThat(sum(limit, nodes)).isEqualTo(limit);
            }
        }
    }

    @Test
    void everyNodeMayHaveOneCallInFlight() {
        assertThat(sum(2, 4)).isEqualTo(4);
    }

    private static int sum(int limit, int nodes) {
        return IntStream.range(0, nodes)
                .map(rank -> new ClusterShare(nodes, rank).of(limit))
                .sum();
    }
}
