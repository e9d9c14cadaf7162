package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScaleAxisTest {

    @Test
    void measuresAllAxesIfNoneIsGiven() {
        assertThat(ScaleAxis.parse(Map.of()))
                .containsOnlyKeys("backlog", "partitions", "hosts", "in-flight", "body", "nodes")
                .containsEntry("nodes", List.of(1, 2, 4));
    }

    @Test
    void measuresOnlyTheGivenAxesAndValues() {
        assertThat(ScaleAxis.parse(Map.of("hosts", "1:500"))).isEqualTo(Map.of("hosts", List.of(1, 500)));
    }

    @Test
    void rejectsAnUnknownAxisAndAValueThatIsNoPositiveNumber() {
        assertThatThrownBy(() -> ScaleAxis.parse(Map.of("host", "1")))
                .hasMessageContaining("unknown axis: host")
                .hasMessageContaining("hosts");
        assertThatThrownBy(() -> ScaleAxis.parse(Map.of("hosts", "1:0"))).hasMessage("not a positive number: 0");
        assertThatThrownBy(() -> ScaleAxis.parse(Map.of("hosts", "1:many"))).hasMessage("not a positive number: many");
    }

    @Test
    void changesOnlyTheSizeOfItsAxis() {
        ScalePoint usual = ScalePoint.of(ScaleAxis.BACKLOG, 10_000, 300_000, 12, 300);
        ScalePoint inFlight = ScalePoint.of(ScaleAxis.IN_FLIGHT, 5_000, 300_000, 12, 300);
        ScalePoint body = ScalePoint.of(ScaleAxis.BODY, 500_000, 300_000, 12, 300);

        assertThat(usual).isEqualTo(new ScalePoint(ScaleAxis.BACKLOG, 10_000, 10_000, 12, 1, 300, 0, 0, 1));
        // At 5,000 calls in flight that take 500 ms, the rate is 10,000 a second.
        assertThat(inFlight).isEqualTo(new ScalePoint(ScaleAxis.IN_FLIGHT, 5_000, 300_000, 12, 1, 5_000, 500, 0, 1));
        assertThat(inFlight.path()).isEqualTo("/delay?ms=500");
        // The answers of a point take at most 1.5 GB.
        assertThat(body).isEqualTo(new ScalePoint(ScaleAxis.BODY, 500_000, 3_000, 12, 1, 300, 0, 500_000, 1));
    }
}
