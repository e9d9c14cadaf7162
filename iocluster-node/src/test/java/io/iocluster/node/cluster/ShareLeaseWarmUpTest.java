package io.iocluster.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Divides a limit of 200 calls a second between a node and another one that warms up. */
class ShareLeaseWarmUpTest {

    private static final double LIMIT = 200;

    private final SimulatedCluster cluster = new SimulatedCluster();

    @Test
    void aNodeUsesNoShareDuringItsWarmUpAndOneSoonAfterwards() {
        SimulatedNode one = cluster.start();
        cluster.run(Duration.ofSeconds(20));
        cluster.measureLeast();

        SimulatedNode late = cluster.start();
        late.warmUp();
        cluster.run(Duration.ofSeconds(20));
        boolean shareUnknownDuringTheWarmUp = late.isHolding();
        double leastDuringTheWarmUp = cluster.leastPerSecond();
        late.startReading();
        cluster.run(Duration.ofMillis(1_200));

        assertThat(shareUnknownDuringTheWarmUp).isTrue();
        assertThat(leastDuringTheWarmUp).isGreaterThanOrEqualTo(0.99 * LIMIT);
        assertThat(late.isHolding()).isFalse();
        assertThat(one.isHolding()).isFalse();
        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(1.1 * LIMIT);
    }
}
