package io.iocluster.testkit.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class PlannedCallTest {

    @Test
    void writesAnEnvelope() {
        PlannedCall call = new PlannedCall("c1-2", 0, CallKind.SLOW, true, 1_500, true);

        assertThat(envelope(call))
                .isEqualTo("{\"id\":\"c1-2\",\"method\":\"POST\",\"url\":\"http://slow/delay?ms=400&id=c1-2\","
                        + "\"deadlineMs\":1500,\"replyTo\":\"replies\"}");
    }

    @Test
    void writesSeveralCallsWithOneId() {
        PlannedCall call = new PlannedCall("c1-2", 0, CallKind.ANY, false, 0, false);

        assertThat(envelope(call))
                .isEqualTo("{\"id\":\"c1-2\",\"any\":[{\"url\":\"http://healthy/ok?id=c1-2\"},"
                        + "{\"url\":\"http://slow/delay?ms=400&id=c1-2\"}]}");
    }

    @Test
    void writesAnUnknownFieldOrMalformedJson() {
        assertThat(envelope(new PlannedCall("c1-2", 0, CallKind.UNKNOWN_FIELD, false, 0, false)))
                .endsWith(",\"chaos\":true}");
        assertThat(envelope(new PlannedCall("c1-2", 0, CallKind.MALFORMED, false, 0, false)))
                .isEqualTo("not JSON c1-2");
    }

    private static String envelope(PlannedCall call) {
        return call.envelope(role -> "http://" + role.name().toLowerCase(Locale.ROOT), "replies");
    }
}
