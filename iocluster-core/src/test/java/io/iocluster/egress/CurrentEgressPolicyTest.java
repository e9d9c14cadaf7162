package io.iocluster.egress;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.testkit.record.RecordCopy;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class CurrentEgressPolicyTest {

    @AutoClose
    private final CapturedLog log = CapturedLog.of(CurrentEgressPolicy.class);

    @Test
    void replacesThePolicyAsAWhole() {
        CurrentEgressPolicy egress =
                new CurrentEgressPolicy(settings(EgressMode.ENFORCE), EgressViolationListener.NONE);
        EgressPolicy before = egress.get();

        egress.replace(settings(EgressMode.ENFORCE, "evil.example"));

        assertThat(before.checkUrl("http://evil.example/")).isInstanceOf(TargetUrl.class);
        assertThat(egress.get().checkUrl("http://evil.example/")).isInstanceOf(Rejection.class);
    }

    @Test
    void keepsThePolicyIfTheSettingsAreEqual() {
        CurrentEgressPolicy egress =
                new CurrentEgressPolicy(settings(EgressMode.ENFORCE, "evil.example"), EgressViolationListener.NONE);
        EgressPolicy before = egress.get();

        egress.replace(settings(EgressMode.ENFORCE, "evil.example"));

        assertThat(egress.get()).isSameAs(before);
    }

    @Test
    void warnsInEveryModeThatAllowsForbiddenCalls() {
        CurrentEgressPolicy egress = new CurrentEgressPolicy(settings(EgressMode.OPEN), EgressViolationListener.NONE);
        egress.replace(settings(EgressMode.ENFORCE));
        egress.replace(settings(EgressMode.REPORT));

        assertThat(log.events().stream()
                        .filter(line -> line.getLevel() == Level.WARN)
                        .map(ILoggingEvent::getMessage))
                .satisfiesExactly(
                        open -> assertThat(open).startsWith("egress.mode is open"),
                        report -> assertThat(report).startsWith("egress.mode is report"));
    }

    private static EgressSettings settings(EgressMode mode, String... denyHosts) {
        return RecordCopy.with(
                EgressSettings.DEFAULTS,
                "mode",
                mode,
                "allowNetworks",
                List.of(),
                "denyNetworks",
                List.of(),
                "denyHosts",
                List.of(denyHosts),
                "allowHosts",
                List.of());
    }
}
