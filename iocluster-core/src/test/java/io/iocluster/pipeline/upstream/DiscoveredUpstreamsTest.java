package io.iocluster.pipeline.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.iocluster.egress.EgressMode;
import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.message.ErrorCode;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.upstream.ConsulUpstreamSettings;
import io.iocluster.upstream.UpstreamBalancer;
import io.iocluster.upstream.UpstreamSettings;
import io.iocluster.upstream.UpstreamStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoveredUpstreamsTest {

    private static final EgressSettings PRIVATE_NETWORK = RecordCopy.with(
            RecordCopy.with(EgressSettings.DEFAULTS, "allowNetworks", List.of("10.0.0.0/8", "169.254.0.0/16")),
            "denyHosts",
            List.of("*.evil.example"));
    private static final UpstreamSettings SERVICE =
            RecordCopy.with(UpstreamSettings.DEFAULTS, "consul", new ConsulUpstreamSettings("partner", "", ""));

    private final UpstreamBalancer balancer =
            new UpstreamBalancer("partner", SERVICE, () -> 0, new SplittableRandom(7));
    private final List<ErrorCode> violations = new ArrayList<>();
    private EgressPolicy policy = policy(PRIVATE_NETWORK);
    private final DiscoveredUpstreams discovered = new DiscoveredUpstreams("partner", SERVICE, balancer, () -> policy);

    private EgressPolicy policy(EgressSettings settings) {
        return new EgressPolicy(settings, (rejection, destination) -> violations.add(rejection.code()));
    }

    private void set(String... upstreams) {
        discovered.set(Arrays.stream(upstreams).map(UpstreamAddress::parse).toList());
    }

    private List<String> used() {
        return balancer.status().stream().map(UpstreamStatus::upstream).toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.2:22",
                "replica.example:6379",
                "169.254.169.254:80",
                "127.0.0.1:80",
                "192.168.0.1:443",
                "[::1]:443",
                "[::ffff:127.0.0.1]:443",
                "a.evil.example:443"
            })
    void anUpstreamThatThePolicyForbidsGetsNoCalls(String forbidden) {
        set("10.0.0.1:80", forbidden, "replica.example:443");

        assertThat(used()).containsExactly("10.0.0.1:80", "replica.example:443");
    }

    @Test
    void theLogNamesForbiddenUpstreamsOnce() {
        try (CapturedLog log = CapturedLog.of(DiscoveredUpstreams.class, Level.INFO)) {
            set("10.0.0.1:80", "10.0.0.2:22", "10.0.0.3:23");
            set("10.0.0.4:80", "10.0.0.2:22", "10.0.0.3:23");

            assertThat(log.messages())
                    .containsExactly("Upstreams that the egress policy forbids get no calls destination=partner"
                            + " upstreams=2 first=10.0.0.2:22 problem=\"port 22 is not allowed; see upstreams.ports and"
                            + " egress.ports\"");
        }
    }

    @Test
    void theLastUpstreamsStayIfThePolicyForbidsAllNewOnes() {
        set("10.0.0.1:80", "10.0.0.2:80");

        set("10.0.0.1:22");

        assertThat(used()).containsExactly("10.0.0.1:80", "10.0.0.2:80");
    }

    @Test
    void aNewPolicyAppliesToTheUpstreamsInUse() {
        set("10.0.0.1:80", "replica.example:443");

        policy = policy(EgressSettings.DEFAULTS);
        discovered.applySettings(SERVICE);
        assertThat(used()).containsExactly("replica.example:443");
        policy = policy(RecordCopy.with(EgressSettings.DEFAULTS, "ports", List.of(80)));
        discovered.applySettings(SERVICE);
        assertThat(used()).isEmpty();
        policy = policy(PRIVATE_NETWORK);
        discovered.applySettings(SERVICE);
        assertThat(used()).containsExactly("10.0.0.1:80", "replica.example:443");
    }

    @Test
    void thePortsOfTheSettingsReplaceThoseOfThePolicy() {
        set("10.0.0.1:80", "10.0.0.2:8443", "10.0.0.3:20000");

        discovered.applySettings(RecordCopy.with(SERVICE, "ports", List.of("8443", "20000-32000")));

        assertThat(used()).containsExactly("10.0.0.2:8443", "10.0.0.3:20000");
    }

    @Test
    void thePortOfANameInTheSettingsIsAllowed() {
        discovered.applySettings(RecordCopy.with(UpstreamSettings.DEFAULTS, "dns", "replicas.example:8443"));

        set("10.0.0.1:8443");

        assertThat(used()).containsExactly("10.0.0.1:8443");
    }

    @Test
    void theHostsThatUrlsMayHaveDoNotLimitUpstreams() {
        policy = policy(RecordCopy.with(PRIVATE_NETWORK, "allowHosts", List.of("partner.example")));

        set("10.0.0.1:80", "replica.example:443");

        assertThat(used()).containsExactly("10.0.0.1:80", "replica.example:443");
    }

    @Test
    void reportModeCountsWhatItAllows() {
        policy = policy(RecordCopy.with(PRIVATE_NETWORK, "mode", EgressMode.REPORT));

        set("10.0.0.1:22", "a.evil.example:443", "169.254.169.254:80");
        set("10.0.0.1:22", "a.evil.example:443", "169.254.169.254:80");

        assertThat(used()).hasSize(3);
        assertThat(violations)
                .containsExactly(ErrorCode.PORT_NOT_ALLOWED, ErrorCode.HOST_NOT_ALLOWED, ErrorCode.ADDRESS_NOT_ALLOWED);
    }

    @Test
    void openModeAllowsAll() {
        policy = policy(RecordCopy.with(PRIVATE_NETWORK, "mode", EgressMode.OPEN));

        set("10.0.0.1:22", "127.0.0.1:1");

        assertThat(used()).hasSize(2);
        assertThat(violations).isEmpty();
    }
}
