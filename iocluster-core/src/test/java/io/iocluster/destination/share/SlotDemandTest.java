package io.iocluster.destination.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotDemandTest {

    private static final double SLOW = 2e9;
    private static final double QUICK = 1e6;

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void guaranteesNoSlotIfThereAreFewerThanDemands(int held) {
        assertThat(divide(2, 3, demand("a", 50, held, SLOW), demand("b", 1, 0, QUICK), demand("c", 1, 0, QUICK)))
                .isEqualTo(Map.of("a", 0, "b", 0, "c", 0));
    }

    @Test
    void guaranteesOneSlotToEachIfThereAreEnough() {
        assertThat(divide(3, 3, demand("a", 50, 0, SLOW), demand("b", 1, 0, QUICK), demand("c", 1, 0, QUICK)))
                .isEqualTo(Map.of("a", 1, "b", 1, "c", 1));
    }

    @Test
    void dividesHalfEvenlyAndTheOtherHalfByTheTimeOfACall() {
        assertThat(divide(10, 10, demand("slow", 50, 0, SLOW), demand("quick", 50, 0, QUICK)))
                .isEqualTo(Map.of("slow", 2, "quick", 8));
    }

    private static SlotDemand<String> demand(String owner, int wanted, int held, double holdNanos) {
        return new SlotDemand<>(owner, wanted, held, holdNanos);
    }

    @SafeVarargs
    private static Map<String, Integer> divide(int slots, int max, SlotDemand<String>... demands) {
        Map<String, Integer> granted = new HashMap<>();
        SlotDemand.divide(
                List.copyOf(Arrays.asList(demands)), slots, max, (demand, part) -> granted.put(demand.owner(), part));
        return granted;
    }
}
