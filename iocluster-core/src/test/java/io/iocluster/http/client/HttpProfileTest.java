package io.iocluster.http.client;

import static io.iocluster.http.client.TestExecutor.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.ProxySettings;
import io.iocluster.http.TlsSettings;
import io.iocluster.http.client.server.Http2Target;
import io.iocluster.http.client.server.TestCertificateAuthority;
import io.iocluster.http.client.server.UnresponsivePort;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.SentStatus;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.testkit.target.ScriptedServer;
import io.netty.resolver.DefaultAddressResolverGroup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.net.ServerSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a destination's profile changes on the wire. */
@Timeout(60)
class HttpProfileTest extends ExecutorFixture {

    private static final TlsSettings DEFAULT_TRUST = TlsSettings.DEFAULTS;

    @TempDir
    private Path folder;

    @Test
    void trustsAPrivateAuthorityIfConfigured() throws Exception {
        ScriptedServer target = target(AUTHORITY.sockets());

        assertThat(executor(profile(true, false, AUTHORITY.trust()))
                        .response(https(target.port()))
                        .status())
                .isEqualTo(200);
        assertThat(executor(profile(true, false, DEFAULT_TRUST))
                        .failure(https(target.port()))
                        .code())
                .isEqualTo(ErrorCode.TLS);
    }

    @Test
    void failsWithTlsIfTheAuthoritiesFileIsMissing() throws Exception {
        Path copy = Files.copy(Path.of(AUTHORITY.file("ca.pem")), folder.resolve("gone.pem"));
        TestExecutor executor = executor(profile(true, false, new TlsSettings(copy.toString(), "", "", "")));
        Files.delete(copy);

        HttpResult.Failure failure = executor.failure(https(443));

        assertThat(failure.code()).isEqualTo(ErrorCode.TLS);
        assertThat(failure.sent()).isEqualTo(SentStatus.NO);
    }

    @Test
    void sendsTheClientCertificateIfTheTargetRequiresIt() throws Exception {
        ScriptedServer target = target(AUTHORITY.socketsWithClientAuth());

        assertThat(executor(profile(true, false, AUTHORITY.identity()))
                        .response(https(target.port()))
                        .status())
                .isEqualTo(200);
        assertThat(executor(profile(true, false, AUTHORITY.trust()))
                        .failure(https(target.port()))
                        .code())
                .isEqualTo(ErrorCode.TLS);
        assertThat(target.requests()).hasSize(1);
    }

    @Test
    void offersHttp2OnlyIfEnabled() throws Exception {
        Http2Target target = open(new Http2Target(AUTHORITY.target()));

        HttpResult.Response response =
                executor(profile(true, false, AUTHORITY.trust())).response(https(target.port()));
        assertThat(response.headers()).containsExactly(new Header("x-server", "h2"));
        assertThat(executor(profile(false, false, AUTHORITY.trust())).await(https(target.port())))
                .as("uses HTTP/1.1, which this target does not support")
                .isInstanceOf(HttpResult.Failure.class);
    }

    @Test
    void requestsCompressionUnlessTheCallSetsAcceptEncoding() {
        ScriptedServer target = target(ServerSocketFactory.getDefault());
        HttpRequest plain = request("GET", target.port(), "/", null);

        executor(profile(true, false, DEFAULT_TRUST)).response(plain);
        TestExecutor compressing = executor(profile(true, true, DEFAULT_TRUST));
        compressing.response(plain);
        compressing.response(request("GET", target.port(), "/", null, new Header("accept-encoding", "br")));

        assertThat(target.requests().get(0)).doesNotContainIgnoringCase("accept-encoding");
        assertThat(target.requests().get(1)).containsIgnoringCase("accept-encoding: gzip, deflate\r\n");
        assertThat(target.requests().get(2))
                .containsIgnoringCase("accept-encoding: br\r\n")
                .doesNotContain("gzip");
    }

    @Test
    void usesTheConnectTimeoutOfTheProfile() throws Exception {
        UnresponsivePort unresponsive = open(new UnresponsivePort());
        HttpProfile profile = new HttpProfile(Duration.ofMillis(600), true, false, DEFAULT_TRUST, ProxySettings.NONE);
        TestExecutor executor = open(new TestExecutor(
                settings(0, DataSize.ofMebibytes(1), Duration.ofMillis(100)),
                profile,
                null,
                DefaultAddressResolverGroup.INSTANCE,
                TestExecutor.always(TestExecutor.policy("127.0.0.0/8"))));
        long start = System.nanoTime();

        HttpResult.Failure failure = executor.failure(TestExecutor.get(unresponsive.port(), "/"));

        assertThat(failure.code()).isEqualTo(ErrorCode.CONNECT_TIMEOUT);
        assertThat(failure.sent()).isEqualTo(SentStatus.NO);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(590), TestExecutor.LONG_TIMEOUT);
    }

    @Test
    void reportsWhichTlsFileIsNotUsable() throws Exception {
        String empty = Files.writeString(folder.resolve("empty.pem"), "").toString();

        assertInvalid("ca cannot be read: /no/such", "/no/such", "", "", "");
        assertInvalid("ca has no certificate in PEM format: " + empty, empty, "", "", "");
        assertInvalid(
                "key must be set: certificate and key are configured together", "", AUTHORITY.file("node.pem"), "", "");
        assertInvalid(
                "certificate must be set: certificate and key are configured together",
                "",
                "",
                AUTHORITY.file("node.key"),
                "");
        assertInvalid(
                "certificate does not match its key, or one of them is not in PEM format: "
                        + AUTHORITY.file("node.pem"),
                "",
                AUTHORITY.file("node.pem"),
                empty,
                "");
        assertInvalid("key-password must not be set without key", "", "", "", "pw");
    }

    @Test
    void refusesACertificateWithTheKeyOfAnotherOne() throws Exception {
        String otherKey = Files.writeString(
                        folder.resolve("other.key"),
                        AUTHORITY
                                .issue(TestCertificateAuthority.builder("CN=other"))
                                .getPrivateKeyPEM())
                .toString();

        assertInvalid(
                "certificate does not match its key, or one of them is not in PEM format: "
                        + AUTHORITY.file("node.pem"),
                "",
                AUTHORITY.file("node.pem"),
                otherKey,
                "");
    }

    private static void assertInvalid(String message, String ca, String certificate, String key, String password) {
        assertThatThrownBy(() -> new TlsSettings(ca, certificate, key, password))
                .isInstanceOfSatisfying(
                        InvalidSettingsException.class,
                        invalid -> assertThat(invalid.invalidSettings())
                                .extracting(Object::toString)
                                .contains(message));
    }

    private ScriptedServer target(ServerSocketFactory sockets) {
        return open(new ScriptedServer(sockets, respondingWith(OK)));
    }

    private TestExecutor executor(HttpProfile profile) {
        return open(new TestExecutor(profile));
    }

    private static HttpProfile profile(boolean http2, boolean compression, TlsSettings tls) {
        return new HttpProfile(Duration.ofSeconds(3), http2, compression, tls, ProxySettings.NONE);
    }

    private static HttpRequest https(int port) {
        return new HttpRequest("GET", new TargetUrl("https", "127.0.0.1", port, "/"), List.of(), null);
    }
}
