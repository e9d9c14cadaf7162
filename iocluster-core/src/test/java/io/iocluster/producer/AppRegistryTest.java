package io.iocluster.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.Outcome;
import io.iocluster.pipeline.ManualClock;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.settings.Rate;
import io.iocluster.testkit.memory.FakeDelivery;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AppRegistryTest {

    private static final ProducerSettings TEN = new ProducerSettings("app", 10, AppQuota.DEFAULTS);

    private final ManualClock clock = new ManualClock();
    private final AppRegistry<Call> apps = registry(TEN);

    @Test
    void namesAtMostTheConfiguredNumberOfAppsWhenProducersInventNames() {
        for (int i = 0; i < 1_000; i++) {
            appOf("app-" + i).recordEnd(Outcome.ANSWERED, false);
        }

        assertThat(apps.status()).hasSize(12);
        assertThat(status("app-3").answered()).isEqualTo(1);
        assertThat(status("other").answered()).isEqualTo(990);
        assertThat(appOf("app-999").name()).isEqualTo("other");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a\"b", "a\nb", "ä", "{}", "a/b"})
    void countsAMessageUnderOtherWhenItsNameIsNotValid(String name) {
        assertThat(appOf(name).name()).isEqualTo("other");
    }

    @Test
    void countsAMessageUnderOtherWhenItsNameIsTooLong() {
        assertThat(appOf("a".repeat(64)).name()).isEqualTo("a".repeat(64));
        assertThat(appOf("a".repeat(65)).name()).isEqualTo("other");
        assertThat(appOf("a".repeat(1_000_000)).name()).isEqualTo("other");
    }

    @Test
    void countsAMessageUnderUnknownWhenItGivesNoName() {
        assertThat(apps.appOf(new FakeDelivery("{}")).name()).isEqualTo("unknown");
        assertThat(appOf("").name()).isEqualTo("unknown");
        assertThat(appOf("unknown").name()).isEqualTo("unknown");
    }

    @Test
    void countsAllAppsTogetherWhenThereIsNoHeader() {
        apps.applySettings(new ProducerSettings("", 10, AppQuota.DEFAULTS), List.of());

        assertThat(appOf("billing").name()).isEqualTo("unknown");
    }

    @Test
    void forgetsAnAppThatSentNothingForTenMinutes() {
        appOf("old");
        clock.advance(Duration.ofMinutes(9));
        appOf("new");
        clock.advance(Duration.ofMinutes(2));

        apps.tick(call -> {});

        assertThat(apps.status()).extracting(AppStatus::name).containsExactlyInAnyOrder("new", "other", "unknown");
    }

    @Test
    void keepsAConfiguredAppWhenOtherNamesFillTheRegistry() {
        for (int i = 0; i < 20; i++) {
            appOf("app-" + i);
        }

        apps.applySettings(TEN, List.of(new AppSettings("billing", new AppQuota(5, Rate.UNLIMITED, 6))));
        clock.advance(Duration.ofMinutes(20));
        apps.tick(call -> {});

        assertThat(appOf("billing").name()).isEqualTo("billing");
        assertThat(status("billing").configured()).isTrue();
        assertThat(status("billing").quota().maxInFlight()).isEqualTo(5);
        assertThat(appOf("app-15").name()).isEqualTo("app-15");
    }

    @Test
    void keepsTheCountsOfAnAppWhenItGetsAnEntry() {
        appOf("billing").recordEnd(Outcome.FAILED, true);

        apps.applySettings(TEN, List.of(new AppSettings("billing", AppQuota.DEFAULTS)));
        appOf("billing").recordEnd(Outcome.FAILED, true);

        assertThat(status("billing").failed()).isEqualTo(2);
        assertThat(status("billing").errors()).isEqualTo(2);
        assertThat(status("billing").configured()).isTrue();
    }

    @Test
    void averagesTheRateOfCallsOverSomeSeconds() {
        for (int second = 0; second < 60; second++) {
            for (int i = 0; i < 20; i++) {
                appOf("billing").recordEnd(Outcome.ANSWERED, false);
            }
            clock.advance(Duration.ofSeconds(1));
            apps.tick(call -> {});
        }

        assertThat(status("billing").callsPerSecond()).isBetween(19.0, 20.1);
        assertThat(status("other").callsPerSecond()).isZero();
    }

    private AppRegistry<Call> registry(ProducerSettings settings) {
        InFlightWindow window = new InFlightWindow(10, 10, 10, 1_000, () -> {});
        return new AppRegistry<>(settings, List.of(), window, call -> {}, clock::nanos);
    }

    private App<Call> appOf(String name) {
        return apps.appOf(new FakeDelivery("{}", -1, Map.of("app", name)));
    }

    private AppStatus status(String name) {
        return apps.status().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
