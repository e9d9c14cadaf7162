package io.iocluster.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.ProxySettings;
import io.iocluster.http.TlsSettings;
import io.iocluster.http.client.server.Http2Target;
import io.iocluster.http.client.server.TunnelProxy;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.SentStatus;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.target.ScriptedServer;
import io.iocluster.testkit.target.ScriptedServer.Script;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests calls through proxies. The proxy can resolve the name target.invalid, the node cannot. */
@Timeout(60)
class ProxyTest extends ExecutorFixture {

    private static final EgressPolicy PUBLIC_ONLY = TestExecutor.policy();
    private static final String PROXY_ONLY_NAME = "target.invalid";

    @Test
    void tunnelsHttpsAndSendsTheProxyCredentialsOnlyToTheProxy() throws Exception {
        TunnelProxy proxy = open(new TunnelProxy(null));
        ScriptedServer target = open(new ScriptedServer(AUTHORITY.sockets(), respondingWith(OK)));
        TestExecutor executor = executor(PUBLIC_ONLY, login(ProxySettings.Type.HTTP, proxy.port(), "pw"));

        for (int i = 0; i < 2; i++) {
            assertThat(executor.response(get("https", PROXY_ONLY_NAME, target.port()))
                            .status())
                    .isEqualTo(200);
        }

        assertThat(proxy.requests())
                .singleElement()
                .satisfies(head -> assertThat(head)
                        .startsWith("CONNECT target.invalid:" + target.port() + " HTTP/1.1\r\n")
                        .containsIgnoringCase("proxy-authorization: Basic am86cHc=\r\n"));
        assertThat(target.requests())
                .hasSize(2)
                .allSatisfy(request ->
                        assertThat(request).startsWith("GET / HTTP/1.1\r\n").doesNotContainIgnoringCase("proxy-"));
    }

    @Test
    void usesHttp2ThroughATunnel() throws Exception {
        TunnelProxy proxy = open(new TunnelProxy(null));
        Http2Target target = open(new Http2Target(AUTHORITY.target()));
        TestExecutor executor = executor(PUBLIC_ONLY, proxy(ProxySettings.Type.HTTP, proxy.port()));

        for (int i = 0; i < 2; i++) {
            assertThat(executor.response(get("https", PROXY_ONLY_NAME, target.port()))
                            .headers())
                    .containsExactly(new Header("x-server", "h2"));
        }

        assertThat(target.connections()).isEqualTo(1);
    }

    @Test
    void keepsCallsInATunnelSeparateAfterAnInterimResponse() throws Exception {
        TunnelProxy proxy = open(new TunnelProxy(null));
        ScriptedServer target = open(new ScriptedServer(AUTHORITY.sockets(), connection -> {
            for (int i = 1; connection.read() != null; i++) {
                connection.send("HTTP/1.1 103 Early Hints\n\nHTTP/1.1 200 OK\nContent-Length: 1\n\n" + i);
            }
        }));
        TestExecutor executor = executor(PUBLIC_ONLY, proxy(ProxySettings.Type.HTTP, proxy.port()));

        for (int i = 1; i <= 3; i++) {
            HttpResult.Response response = executor.response(get("https", PROXY_ONLY_NAME, target.port()));
            assertThat(response.status()).isEqualTo(200);
            assertThat(TestExecutor.text(response)).isEqualTo(Integer.toString(i));
        }

        assertThat(target.connections()).isEqualTo(1);
        assertThat(executor.executor().connectionStats()).isEqualTo(new HttpExecutor.ConnectionStats(0, 1, 1));
    }

    @Test
    void sendsTheWholeUrlOfAnHttpCallToTheProxy() {
        ScriptedServer proxy = server(respondingWith(OK));
        TestExecutor executor = executor(PUBLIC_ONLY, login(ProxySettings.Type.HTTP, proxy.port(), "pw"));

        assertThat(executor.response(get("http", PROXY_ONLY_NAME, 80)).status()).isEqualTo(200);

        assertThat(proxy.requests())
                .singleElement()
                .satisfies(request -> assertThat(request)
                        .startsWith("GET http://target.invalid:80/ HTTP/1.1\r\n")
                        .containsIgnoringCase("host: target.invalid\r\n")
                        .containsIgnoringCase("proxy-authorization: Basic am86cHc=\r\n"));
    }

    @Test
    void tunnelsHttpAndHttpsThroughSocks() throws Exception {
        TunnelProxy proxy = open(new TunnelProxy("pw"));
        ScriptedServer plain = server(respondingWith(OK));
        ScriptedServer secure = open(new ScriptedServer(AUTHORITY.sockets(), respondingWith(OK)));
        TestExecutor executor =
                executor(TestExecutor.policy("127.0.0.0/8"), login(ProxySettings.Type.SOCKS5, proxy.port(), "pw"));

        assertThat(executor.response(get("http", "127.0.0.1", plain.port())).status())
                .isEqualTo(200);
        assertThat(executor.response(get("https", "127.0.0.1", secure.port())).status())
                .isEqualTo(200);

        assertThat(proxy.requests())
                .containsExactly("socks 127.0.0.1:" + plain.port(), "socks 127.0.0.1:" + secure.port());
        assertThat(plain.requests())
                .singleElement()
                .satisfies(request ->
                        assertThat(request).startsWith("GET / HTTP/1.1\r\n").doesNotContainIgnoringCase("proxy-"));
    }

    @Test
    void reportsARejectionByTheProxyAsProxyFailed() throws Exception {
        ScriptedServer forbidding = server(respondingWith("HTTP/1.1 403 Forbidden\nContent-Length: 0\n\n"));
        ScriptedServer requiringLogin = server(respondingWith("""
                HTTP/1.1 407 Proxy Authentication Required
                Proxy-Authenticate: Basic realm="x"
                Content-Length: 0

                """));
        ScriptedServer closing = server(ScriptedServer.ScriptedConnection::read);
        TunnelProxy socks = open(new TunnelProxy("pw"));
        EgressPolicy loopback = TestExecutor.policy("127.0.0.0/8");

        assertProxyFailed(
                executor(PUBLIC_ONLY, proxy(ProxySettings.Type.HTTP, forbidding.port())),
                get("https", PROXY_ONLY_NAME, 443));
        assertProxyFailed(
                executor(PUBLIC_ONLY, login(ProxySettings.Type.HTTP, requiringLogin.port(), "no")),
                get("https", PROXY_ONLY_NAME, 443));
        assertProxyFailed(
                executor(PUBLIC_ONLY, proxy(ProxySettings.Type.HTTP, closing.port())),
                get("https", PROXY_ONLY_NAME, 443));
        assertProxyFailed(
                executor(loopback, login(ProxySettings.Type.SOCKS5, socks.port(), "no")), get("http", "127.0.0.1", 80));
    }

    /** A proxy passes on the target's response, so this status may come from the target. */
    @Test
    void saysThatARequestMayBeSentIfItsAnswerAsksForTheProxysLogin() {
        ScriptedServer proxyOrTarget =
                server(respondingWith("HTTP/1.1 407 Proxy Authentication Required\nContent-Length: 0\n\n"));
        TestExecutor executor = executor(PUBLIC_ONLY, proxy(ProxySettings.Type.HTTP, proxyOrTarget.port()));

        HttpResult.Failure failure = executor.failure(get("http", PROXY_ONLY_NAME, 80));

        assertThat(failure.code()).isEqualTo(ErrorCode.PROXY_FAILED);
        assertThat(failure.sent()).isEqualTo(SentStatus.MAYBE);
    }

    /** Neither proxy has seen the request, so the status is the target's. */
    @ParameterizedTest
    @CsvSource({"SOCKS5, http", "SOCKS5, https", "HTTP, https"})
    void passesOnAStatusThatAsksForAProxysLoginThroughATunnel(ProxySettings.Type type, String scheme) throws Exception {
        Script response = respondingWith("HTTP/1.1 407 Proxy Authentication Required\nContent-Length: 0\n\n");
        TunnelProxy proxy = open(new TunnelProxy(null));
        ScriptedServer target =
                scheme.equals("http") ? server(response) : open(new ScriptedServer(AUTHORITY.sockets(), response));
        TestExecutor executor = executor(TestExecutor.policy("127.0.0.0/8"), proxy(type, proxy.port()));

        assertThat(executor.response(get(scheme, "127.0.0.1", target.port())).status())
                .isEqualTo(407);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void reportsAProxyThatDoesNotAcceptConnectionsAsProxyFailed(ProxySettings.Type type) {
        ScriptedServer closed = server(ScriptedServer.ScriptedConnection::read);
        closed.close();
        TestExecutor executor = executor(TestExecutor.policy("127.0.0.0/8"), proxy(type, closed.port()));

        assertProxyFailed(executor, get("http", "127.0.0.1", 80));
        assertProxyFailed(executor, get("https", "127.0.0.1", 443));
    }

    /** A target decides how long a lookup of its name takes. */
    @Test
    void opensTunnelsThroughSocksWhileAnotherTargetIsLookedUp() throws Exception {
        TunnelProxy proxy = open(new TunnelProxy("pw"));
        ScriptedServer target = server(respondingWith(OK));
        HttpSettings oneConnect = RecordCopy.with(HttpSettings.DEFAULTS, "concurrentConnects", 1);
        HttpProfile profile = RecordCopy.with(
                HttpProfile.of(oneConnect), "proxy", login(ProxySettings.Type.SOCKS5, proxy.port(), "pw"));
        SlowSecondLookup lookups = open(new SlowSecondLookup());
        TestExecutor executor = open(new TestExecutor(
                oneConnect, profile, null, lookups, TestExecutor.always(TestExecutor.policy("127.0.0.0/8"))));

        CompletableFuture<HttpResult> slow = executor.call(get("http", SlowSecondLookup.NAME, 80));
        assertThat(lookups.started.await(1, TimeUnit.MINUTES)).isTrue();

        assertThat(executor.response(get("http", "127.0.0.1", target.port())).status())
                .isEqualTo(200);
        assertThat(slow).isNotDone();
    }

    /** Knows literal addresses only. The first lookup of a name fails, and the next one never ends. */
    private static final class SlowSecondLookup extends AddressResolverGroup<InetSocketAddress> {

        static final String NAME = "slow.example";

        private final CountDownLatch started = new CountDownLatch(1);
        private boolean failed;

        @Override
        protected AddressResolver<InetSocketAddress> newResolver(EventExecutor loop) {
            return new InetNameResolver(loop) {
                @Override
                protected void doResolve(String name, Promise<InetAddress> promise) {
                    throw new UnsupportedOperationException();
                }

                @Override
                protected void doResolveAll(String name, Promise<List<InetAddress>> promise) {
                    if (!name.equals(NAME)) {
                        promise.setSuccess(List.of(NetUtil.createInetAddressFromIpAddressString(name)));
                    } else if (failed) {
                        started.countDown();
                    } else {
                        failed = true;
                        promise.setFailure(new UnknownHostException(name));
                    }
                }
            }.asAddressResolver();
        }
    }

    /** All calls to a host wait for one tunnel, so that one which is never opened must end. */
    @Test
    void endsATunnelThatTheProxyNeverOpens() {
        ScriptedServer silent = server(ScriptedServer.ScriptedConnection::awaitClose);
        HttpProfile profile = new HttpProfile(
                Duration.ofMillis(300), true, false, AUTHORITY.trust(), proxy(ProxySettings.Type.HTTP, silent.port()));
        TestExecutor executor = open(new TestExecutor(profile, PUBLIC_ONLY));

        assertProxyFailed(executor, get("https", PROXY_ONLY_NAME, 443));
    }

    private static void assertProxyFailed(TestExecutor executor, HttpRequest request) {
        HttpResult.Failure failure = executor.failure(request);
        assertThat(failure.code()).isEqualTo(ErrorCode.PROXY_FAILED);
        assertThat(failure.sent()).isEqualTo(SentStatus.NO);
    }

    @Test
    void failsWithTlsForAnUntrustedCertificateInATunnel() throws Exception {
        TunnelProxy proxy = open(new TunnelProxy(null));
        ScriptedServer target = open(new ScriptedServer(AUTHORITY.sockets(), respondingWith(OK)));
        HttpProfile withoutTrust = new HttpProfile(
                Duration.ofSeconds(3), true, false, TlsSettings.DEFAULTS, proxy(ProxySettings.Type.HTTP, proxy.port()));
        TestExecutor executor = open(new TestExecutor(withoutTrust, PUBLIC_ONLY));

        HttpResult.Failure failure = executor.failure(get("https", PROXY_ONLY_NAME, target.port()));

        assertThat(failure.code()).isEqualTo(ErrorCode.TLS);
        assertThat(failure.sent()).isEqualTo(SentStatus.NO);
    }

    @Test
    void usesNoProxyForAForbiddenTarget() throws Exception {
        TunnelProxy proxy = open(new TunnelProxy(null));
        ScriptedServer target = server(respondingWith(OK));

        for (ProxySettings.Type type : List.of(ProxySettings.Type.HTTP, ProxySettings.Type.SOCKS5)) {
            TestExecutor executor = executor(PUBLIC_ONLY, proxy(type, proxy.port()));
            for (String host : List.of("127.0.0.1", "localhost")) {
                for (String scheme : List.of("http", "https")) {
                    HttpResult.Failure failure = executor.failure(get(scheme, host, target.port()));
                    assertThat(failure.code()).isEqualTo(ErrorCode.ADDRESS_NOT_ALLOWED);
                    assertThat(failure.sent()).isEqualTo(SentStatus.NO);
                }
            }
        }
        assertThat(proxy.requests()).isEmpty();
        assertThat(target.connections()).isZero();
    }

    private TestExecutor executor(EgressPolicy policy, ProxySettings proxy) {
        HttpProfile profile = new HttpProfile(Duration.ofSeconds(3), true, false, AUTHORITY.trust(), proxy);
        return open(new TestExecutor(profile, policy));
    }

    private static ProxySettings proxy(ProxySettings.Type type, int port) {
        return new ProxySettings(type, "127.0.0.1", port, "", "");
    }

    private static ProxySettings login(ProxySettings.Type type, int port, String password) {
        return new ProxySettings(type, "127.0.0.1", port, "jo", password);
    }

    private static HttpRequest get(String scheme, String host, int port) {
        return new HttpRequest("GET", new TargetUrl(scheme, host, port, "/"), List.of(), null);
    }
}
