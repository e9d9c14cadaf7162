package io.iocluster.door.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.door.access.OpenCalls.Admission;
import io.iocluster.door.config.DoorAppSettings;
import io.iocluster.settings.Rate;
import io.iocluster.thread.Platform;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenCallsTest {

    private final OpenCalls open = new OpenCalls(10, Platform.system());
    private final App shop = app("shop", 0, Rate.UNLIMITED);

    @Test
    void anIdIsInUseForItsAppOnly() {
        open.tryStart(shop, "order-1", 1);

        assertThat(open.tryStart(shop, "order-1", 1)).isEqualTo(Admission.ID_IN_USE);
        assertThat(open.tryStart(app("billing", 0, Rate.UNLIMITED), "order-1", 1))
                .isEqualTo(Admission.STARTED);
        open.end(shop, "order-1", 1);
        assertThat(open.tryStart(shop, "order-1", 1)).isEqualTo(Admission.STARTED);
    }

    @Test
    void eachBranchOfAnEnvelopeCounts() {
        assertThat(open.tryStart(shop, "a", 8)).isEqualTo(Admission.STARTED);
        assertThat(open.count()).isEqualTo(8);

        assertThat(open.tryStart(shop, "b", 3)).isEqualTo(Admission.DOOR_FULL);
        assertThat(open.tryStart(shop, "b", 2)).isEqualTo(Admission.STARTED);
        open.end(shop, "a", 8);
        open.end(shop, "b", 2);

        assertThat(open.count()).isZero();
    }

    @Test
    void eachBranchCountsInTheLimitOfItsApp() {
        App limited = app("limited", 4, Rate.UNLIMITED);

        assertThat(open.tryStart(limited, "a", 5)).isEqualTo(Admission.APP_OVER_QUOTA);
        assertThat(open.tryStart(limited, "a", 4)).isEqualTo(Admission.STARTED);
        assertThat(open.tryStart(limited, "b", 1)).isEqualTo(Admission.APP_OVER_QUOTA);
        open.end(limited, "a", 4);
        assertThat(open.tryStart(limited, "b", 1)).isEqualTo(Admission.STARTED);
    }

    @Test
    void eachBranchCountsInTheRateOfItsApp() {
        App limited = app("limited", 0, Rate.parse("3/h"));

        assertThat(open.tryStart(limited, "a", 3)).isEqualTo(Admission.STARTED);
        assertThat(open.tryStart(limited, "b", 1)).isEqualTo(Admission.APP_OVER_QUOTA);
    }

    @Test
    void aChangedLimitAppliesToLaterCallsAndKeepsTheOpenOnes() {
        App limited = app("limited", 1, Rate.parse("1/h"));
        open.tryStart(limited, "a", 1);

        limited.update(new DoorAppSettings("limited", "", 2, Rate.UNLIMITED, List.of()));

        assertThat(open.tryStart(limited, "b", 1)).isEqualTo(Admission.STARTED);
        assertThat(open.tryStart(limited, "c", 1)).isEqualTo(Admission.APP_OVER_QUOTA);
        open.update(1);
        open.end(limited, "a", 1);
        assertThat(open.tryStart(limited, "c", 1)).isEqualTo(Admission.DOOR_FULL);
    }

    @Test
    void aRefusedCallCountsNothing() {
        App limited = app("limited", 1, Rate.UNLIMITED);
        open.tryStart(limited, "a", 1);

        open.tryStart(limited, "b", 1);
        open.end(limited, "a", 1);

        assertThat(open.count()).isZero();
        assertThat(open.tryStart(limited, "b", 1)).isEqualTo(Admission.STARTED);
    }

    private static App app(String name, int maxInFlight, Rate rate) {
        return new App(new DoorAppSettings(name, "", maxInFlight, rate, List.of()), Platform.system());
    }
}
