package io.iocluster.http.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.DnsSettings;
import io.iocluster.http.client.NettyHttpExecutorFactory;
import io.iocluster.thread.Platform;
import io.netty.channel.EventLoopGroup;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Resolves a name of a URL as an absolute name, on a machine with a search list like that of a Kubernetes pod. */
@Timeout(60)
class DnsResolversTest {

    private final EventLoopGroup group =
            NettyHttpExecutorFactory.newEventLoop(new DefaultThreadFactory("test-loop", true));

    @AfterEach
    void shutDown() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka", "api.partner.example"})
    void asksOnlyForTheNameItself(String name) throws Exception {
        Queue<String> questions = new ConcurrentLinkedQueue<>();
        try (FakeDns dns = new FakeDns(question -> {
                    questions.add(question);
                    return question.endsWith("cluster.local") ? List.of("10.0.0.1") : List.of();
                });
                DnsNameResolver resolver = resolver(dns.settings())) {
            assertThat(resolver.resolveAll(name).await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(resolver.resolveAll(name).await().isSuccess()).isFalse();
            assertThat(Set.copyOf(questions)).containsExactly(name);
        }
    }

    private DnsNameResolver resolver(DnsSettings settings) {
        DnsNameResolverBuilder podBuilder = new DnsNameResolverBuilder(group.next())
                .searchDomains(List.of("default.svc.cluster.local", "cluster.local"))
                .ndots(5);
        return DnsResolvers.configure(podBuilder, settings, MachineFiles.read(Platform.system()))
                .build();
    }
}
