package io.iocluster.http.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.egress.AddressNotAllowedException;
import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.http.DnsSettings;
import io.iocluster.http.client.NettyHttpExecutorFactory;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.time.FakeClock;
import io.iocluster.thread.Platform;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Resolves names with a name server of the test, on a machine with IPv4 and IPv6. */
@Timeout(60)
class DualStackNameResolverTest {

    private static final String IPV4 = "192.0.2.1";
    private static final String IPV6 = "2001:db8:0:0:0:0:0:1";
    /** Longer than the test's timeout, so that no answer comes because a name server was given up. */
    private static final Duration NEVER = Duration.ofMinutes(10);

    @TempDir
    private Path folder;

    private final EventLoopGroup group =
            NettyHttpExecutorFactory.newEventLoop(new DefaultThreadFactory("test-loop", true));
    private final EventLoop loop = group.next();
    private final Map<String, List<String>> addresses =
            new ConcurrentHashMap<>(Map.of("h.example", List.of(IPV6, IPV4)));
    private final FakeDns dns = new FakeDns(name -> addresses.getOrDefault(name, List.of()));
    private final DnsSettings patient = RecordCopy.with(dns.settings(), "queryTimeout", NEVER);
    private AddressResolverGroup<InetSocketAddress> resolvers;

    DualStackNameResolverTest() throws IOException {}

    @AfterEach
    void close() {
        resolvers.close();
        dns.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    private void start(DnsSettings settings) {
        resolvers = DnsResolvers.newResolverGroup(
                new DnsNameResolverBuilder().resolvedAddressTypes(ResolvedAddressTypes.IPV4_PREFERRED),
                settings,
                new MachineFiles(folder.resolve("hosts"), folder.resolve("resolv.conf"), Platform.system()),
                Platform.system());
    }

    private static String servers(FakeDns dns) {
        return "port " + dns.port() + "\nnameserver 127.0.0.1\n"; // The port counts for the lines below it.
    }

    private Future<List<InetSocketAddress>> lookUp(String name) {
        return resolvers.getResolver(loop).resolveAll(InetSocketAddress.createUnresolved(name, 80));
    }

    private List<String> resolve(String name) throws Exception {
        return texts(lookUp(name).get(1, TimeUnit.MINUTES));
    }

    private static List<String> texts(List<InetSocketAddress> found) {
        return found.stream().map(each -> each.getAddress().getHostAddress()).toList();
    }

    private Throwable failure(String name) throws Exception {
        return lookUp(name).await().cause();
    }

    @Test
    void returnsTheAddressesOfBothFamilies() throws Exception {
        start(dns.settings());

        assertThat(resolve("h.example")).containsExactly(IPV4, IPV6);
    }

    /** Otherwise no IPv6 address would be tried while the node tries only the first 16 of a name. */
    @Test
    void alternatesTheFamiliesAlsoInTheCache() throws Exception {
        List<String> ipv4 = IntStream.range(1, 20).mapToObj(i -> "192.0.2." + i).toList();
        addresses.put("h.example", Stream.concat(ipv4.stream(), Stream.of(IPV6)).toList());
        start(RecordCopy.with(patient, "minTtl", Duration.ofSeconds(60)));

        assertThat(resolve("h.example")).hasSize(20).startsWith("192.0.2.1", IPV6, "192.0.2.2", "192.0.2.3");
        assertThat(resolve("h.example")).hasSize(16).startsWith("192.0.2.1", IPV6, "192.0.2.2", "192.0.2.3");
    }

    @Test
    void theEgressPolicyChecksBothFamilies() throws Exception {
        addresses.put("h.example", List.of("8.8.8.8", "fd00::1"));
        start(dns.settings());
        resolvers = new CheckedAddressResolverGroup(resolvers, () -> new EgressPolicy(EgressSettings.DEFAULTS));

        assertThat(failure("h.example")).isInstanceOf(AddressNotAllowedException.class);
    }

    @Test
    void doesNotWaitForAnIpv6AnswerThatNeverComes() throws Exception {
        dns.withhold(FakeDns.TYPE_AAAA);
        start(patient);

        assertThat(resolve("h.example")).containsExactly(IPV4);
        assertThat(resolve("h.example")).as("while the lookup still waits").containsExactly(IPV4);
        assertThat(dns.questions()).isEqualTo(2);
    }

    @Test
    void cachesALateAnswerForTheNextLookup() throws Exception {
        dns.withhold(FakeDns.TYPE_AAAA);
        start(RecordCopy.with(patient, "minTtl", Duration.ofSeconds(60)));
        assertThat(resolve("h.example")).containsExactly(IPV4);

        dns.release();

        await().until(() -> resolve("h.example").equals(List.of(IPV4, IPV6)));
        assertThat(dns.questions()).isEqualTo(2);
    }

    @Test
    void waitsForTheFamilyThatEveryMachineHas() throws Exception {
        dns.withhold(FakeDns.TYPE_A);
        start(patient);
        Future<List<InetSocketAddress>> found = lookUp("h.example");
        await().until(() -> dns.questions() == 2 && dns.withheldQuestions() == 1);
        loop.schedule(() -> {}, 200, TimeUnit.MILLISECONDS).sync();
        assertThat(found.isDone()).isFalse();

        dns.release();

        assertThat(texts(found.get())).containsExactly(IPV4, IPV6);
    }

    @Test
    void everyoneWhoAsksDuringALookupGetsItsResult() throws Exception {
        dns.withhold(FakeDns.TYPE_A);
        start(patient);
        Future<List<InetSocketAddress>> first = lookUp("h.example");
        Future<List<InetSocketAddress>> second = lookUp("h.example.");
        Future<List<InetSocketAddress>> other = lookUp("missing.example");
        await().until(() -> dns.withheldQuestions() == 2);
        dns.release();

        assertThat(texts(first.get())).containsExactly(IPV4, IPV6);
        assertThat(texts(second.get())).containsExactly(IPV4, IPV6);
        assertThat(other.await().cause()).isInstanceOf(UnknownHostException.class);
    }

    @Test
    void aNameThatDoesNotExistIsUnknown() throws Exception {
        start(patient);

        assertThat(failure("missing.example")).isInstanceOf(UnknownHostException.class);
    }

    @Test
    void asksTheNextServerIfOneFails() throws Exception {
        try (FakeDns failing = new FakeDns(name -> List.of("192.0.2.9"))) {
            failing.fail();
            start(RecordCopy.with(
                    patient, "servers", List.of("127.0.0.1:" + failing.port(), "127.0.0.1:" + dns.port())));

            assertThat(resolve("h.example")).containsExactly(IPV4, IPV6);
            assertThat(failing.questions()).isEqualTo(2);
        }
    }

    @Test
    void followsAChainOfAliases() throws Exception {
        dns.setAlias("a.example", "b.example");
        dns.setAlias("b.example", "h.example");
        start(patient);

        assertThat(resolve("a.example")).containsExactly(IPV4, IPV6);
    }

    @Test
    void failsForALoopOfAliases() throws Exception {
        dns.setAlias("a.example", "b.example");
        dns.setAlias("b.example", "a.example");
        start(patient);

        assertThat(failure("a.example")).isInstanceOf(UnknownHostException.class);
    }

    @Test
    void asksOverTcpIfAnAnswerIsTruncated() throws Exception {
        dns.truncate();
        start(patient);

        assertThat(resolve("h.example")).containsExactly(IPV4, IPV6);
    }

    @Test
    void asksAgainForANameWithoutTimeToLive() throws Exception {
        start(dns.settings());
        for (int i = 1; i < 200; i++) {
            addresses.put("h.example", List.of("192.0.2." + i, IPV6));

            assertThat(resolve("h.example")).containsExactly("192.0.2." + i, IPV6);
        }
    }

    @Test
    void asksForTheNameBeyondAsciiAndKeepsIt() throws Exception {
        addresses.put("xn--bcher-kva.test", List.of(IPV4));
        start(dns.settings());

        List<InetSocketAddress> found = lookUp("xn--bcher-kva.test").get();

        assertThat(found.get(0).getHostString()).isEqualTo("xn--bcher-kva.test");
        assertThat(dns.names()).containsOnly("xn--bcher-kva.test");
    }

    @Test
    void seesAHostsFileThatChanges() throws Exception {
        Path hosts = folder.resolve("hosts");
        Files.writeString(hosts, "192.0.2.5 h.example\n2001:db8::5 H.Example\n192.0.2.6 h.example\n");
        start(dns.settings());
        assertThat(resolve("h.example")).containsExactly("192.0.2.5", "192.0.2.6", "2001:db8:0:0:0:0:0:5");
        assertThat(dns.questions()).isZero();

        Files.writeString(hosts, "192.0.2.8 h.example\n");
        await().atMost(Duration.ofMinutes(1)).until(() -> resolve("h.example").equals(List.of("192.0.2.8")));

        Files.delete(hosts);
        await().atMost(Duration.ofMinutes(1)).until(() -> resolve("h.example").equals(List.of(IPV4, IPV6)));
    }

    @Test
    void seesNameServersThatChangeAndForgetsTheirAnswers() throws Exception {
        Path resolvConf = folder.resolve("resolv.conf");
        try (FakeDns other = new FakeDns(name -> List.of("192.0.2.9"))) {
            Files.writeString(resolvConf, servers(dns));
            start(RecordCopy.with(RecordCopy.with(patient, "servers", List.of()), "minTtl", Duration.ofSeconds(60)));
            assertThat(resolve("h.example")).containsExactly(IPV4, IPV6);

            Files.writeString(resolvConf, servers(other));
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> resolve("h.example").equals(List.of("192.0.2.9")));
        }
    }

    @Test
    void keepsItsNameServersIfTheFileNamesNone() throws Exception {
        Path resolvConf = folder.resolve("resolv.conf");
        Files.writeString(resolvConf, servers(dns));
        long[] nanos = {0};
        MachineFiles files = new MachineFiles(folder.resolve("hosts"), resolvConf, new FakeClock(() -> nanos[0]));
        Files.writeString(resolvConf, "# being written\n");
        nanos[0] += TimeUnit.MINUTES.toNanos(1);

        assertThat(files.refresh()).isFalse();
        InetSocketAddress server = files.nameServerAddressStream("h.example").next();
        assertThat(NetUtil.toSocketAddressString(server)).isEqualTo("127.0.0.1:" + dns.port());
        start(dns.settings());
    }
}
