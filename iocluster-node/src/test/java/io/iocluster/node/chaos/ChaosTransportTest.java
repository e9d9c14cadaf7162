package io.iocluster.node.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.chaos.broker.ChaosTransport;
import io.iocluster.testkit.chaos.FaultKind;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class ChaosTransportTest {

    @Test
    void aSingleBrokerSupportsAllFaultsThatNeedNoClusterAndNoManagementApi() {
        assertThat(ChaosTransport.KAFKA.kinds())
                .isEqualTo(EnumSet.complementOf(EnumSet.of(FaultKind.MOVE_LEADER, FaultKind.CUT_CONNECTIONS)));
        assertThat(ChaosTransport.RABBIT.kinds()).isEqualTo(EnumSet.complementOf(EnumSet.of(FaultKind.MOVE_LEADER)));
    }
}
