package io.iocluster.door.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FairLimitTest {

    @Test
    void oneAppMayHaveHalf() {
        FairLimit limit = new FairLimit(3);

        assertThat(limit.tryOpen("shop")).isTrue();
        assertThat(limit.tryOpen("shop")).isTrue();
        assertThat(limit.tryOpen("shop")).isFalse();
        assertThat(limit.tryOpen("billing")).isTrue();
        assertThat(limit.tryOpen("billing")).isFalse();
    }

    @Test
    void whatIsClosedIsFreeAgain() {
        FairLimit limit = new FairLimit(1);
        limit.tryOpen("shop");

        limit.close("shop");

        assertThat(limit.count()).isZero();
        assertThat(limit.tryOpen("billing")).isTrue();
    }

    @Test
    void aLimitOfZeroAllowsNothing() {
        assertThat(new FairLimit(0).tryOpen("shop")).isFalse();
    }
}
