package io.iocluster.transport.outage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PendingQueryTest {

    private long millis = -5;
    private final PendingQuery query = new PendingQuery(() -> TimeUnit.MILLISECONDS.toNanos(millis));

    @Test
    void measuresOnlyTheQueryThatIsUnderWay() {
        millis += 100;
        assertThat(query.millis()).isZero();

        query.started();
        millis += 2_500;
        assertThat(query.millis()).isEqualTo(2_500);

        query.ended();
        millis += 100;
        assertThat(query.millis()).isZero();

        query.started();
        millis += 7;
        assertThat(query.millis()).isEqualTo(7);
    }
}
