package io.iocluster.node.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.chaos.broker.ChaosTransport;
import io.iocluster.testkit.chaos.FaultKind;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChaosPlansTest {

    @ParameterizedTest
    @EnumSource(names = {"KAFKA", "RABBIT"})
    void thePlansOfTheTestSuiteHaveEachFaultThatTheTransportSupports(ChaosTransport transport) {
        Set<FaultKind> planned = ChaosIT.plans(transport).stream()
                .flatMap(plan -> plan.faultKinds().stream())
                .collect(Collectors.toSet());

        assertThat(planned).isEqualTo(transport.kinds());
    }

    @Test
    void aSingleBrokerSupportsAllFaultsThatNeedNoClusterAndNoManagementApi() {
        assertThat(ChaosTransport.KAFKA.kinds())
                .isEqualTo(EnumSet.complementOf(EnumSet.of(FaultKind.MOVE_LEADER, FaultKind.CUT_CONNECTIONS)));
        assertThat(ChaosTransport.RABBIT.kinds()).isEqualTo(EnumSet.complementOf(EnumSet.of(FaultKind.MOVE_LEADER)));
    }
}
