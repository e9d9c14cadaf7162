package io.iocluster.http.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.egress.AddressNotAllowedException;
import io.iocluster.egress.CurrentEgressPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.egress.EgressViolationListener;
import io.iocluster.http.DnsSettings;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.http.UpstreamName;
import io.iocluster.http.client.NettyHttpExecutorFactory;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.thread.Platform;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UpstreamResolverTest {

    private static final UpstreamName SERVICE = new UpstreamName.Service("_http._tcp.partner.example");

    private final EventLoopGroup group =
            NettyHttpExecutorFactory.newEventLoop(new DefaultThreadFactory("test-loop", true));
    private final FakeDns dns =
            new FakeDns(name -> name.equals("private.example") ? List.of("127.0.0.1") : List.of("8.8.4.4", "8.8.8.8"));

    UpstreamResolverTest() throws IOException {}

    @AfterEach
    void close() {
        dns.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    private List<UpstreamAddress> resolve(UpstreamName name, DnsSettings settings) throws Exception {
        EventLoop loop = group.next();
        CheckedAddressResolverGroup addresses = new CheckedAddressResolverGroup(
                DnsResolvers.newResolverGroup(settings, Platform.system()),
                new CurrentEgressPolicy(EgressSettings.DEFAULTS, EgressViolationListener.NONE));
        try (UpstreamResolver resolver = new UpstreamResolver(loop, addresses, settings, Platform.system())) {
            return loop.submit(() -> resolver.resolve(name)).get().get(1, TimeUnit.MINUTES);
        }
    }

    private static UpstreamName host(String host) {
        return new UpstreamName.Host(new UpstreamAddress(host, 8080));
    }

    @Test
    void eachAddressOfAHostIsAnUpstream() throws Exception {
        assertThat(resolve(host("partner.example"), dns.settings()))
                .containsExactlyInAnyOrder(new UpstreamAddress("8.8.4.4", 8080), new UpstreamAddress("8.8.8.8", 8080));
    }

    @Test
    void aHostWithAnAddressThatIsNotAllowedHasNoUpstreams() {
        assertThatThrownBy(() -> resolve(host("private.example"), dns.settings()))
                .hasCauseInstanceOf(AddressNotAllowedException.class);
    }

    @Test
    void targetsOfAServiceWithTheLowestPriorityAreUpstreams() throws Exception {
        dns.setService(
                "_http._tcp.partner.example",
                "20 1 80 backup.example",
                "10 5 8081 Replica-1.example",
                "10 0 8082 replica-2.example");

        assertThat(resolve(SERVICE, dns.settings()))
                .containsExactlyInAnyOrder(
                        new UpstreamAddress("replica-1.example", 8081), new UpstreamAddress("replica-2.example", 8082));
    }

    @Test
    void takesAtMostAsManyUpstreamsAsAddresses() throws Exception {
        dns.setService("_http._tcp.partner.example", "1 0 81 a.example", "1 0 82 a.example", "1 0 83 a.example");

        assertThat(resolve(SERVICE, RecordCopy.with(dns.settings(), "maxAddresses", 2)))
                .hasSize(2);
    }

    @Test
    void failsIfThereIsNoSuchService() {
        dns.setService("_http._tcp.partner.example", "0 0 0 .");

        assertThatThrownBy(() -> resolve(SERVICE, dns.settings())).hasCauseInstanceOf(UnknownHostException.class);
        assertThatThrownBy(() -> resolve(new UpstreamName.Service("_http._tcp.missing.example"), dns.settings()))
                .hasCauseInstanceOf(UnknownHostException.class);
    }
}
