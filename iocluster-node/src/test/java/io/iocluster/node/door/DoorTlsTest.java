package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.iocluster.node.tls.PrivateAuthority;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Callers with client certificates, over TLS. */
class DoorTlsTest {

    private final PrivateAuthority authority = new PrivateAuthority("CN=callers");

    @TempDir
    private Path folder;

    private DoorFixture door;

    DoorTlsTest() throws Exception {}

    @BeforeEach
    void start() throws Exception {
        door = new DoorFixture(authority.doorTls(folder, "CN=door") + ", apps: [{name: shop, max-in-flight: 1}]");
    }

    @AfterEach
    void stop() {
        door.close();
    }

    @Test
    void theCommonNameOfACertificateIsTheAppOfItsCalls() throws Exception {
        HttpClient shop = client(authority.issue("CN=shop,O=example"));
        String envelope = "{\"id\": \"a\", \"url\": \"" + door.target.url("/ok") + "\"}";

        HttpResponse<String> answer = post(shop, door.envelope("/ok"));
        HttpResponse<String> asynchronous = post(shop, envelope, "Prefer", "respond-async");
        HttpResponse<String> ofAnother = get(client(authority.issue("CN=billing")), "/v1/calls/a");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"status\":200");
        assertThat(asynchronous.statusCode()).isBetween(200, 202);
        assertThat(get(shop, "/v1/calls/a").statusCode()).isBetween(200, 202);
        assertThat(ofAnother.statusCode()).isEqualTo(404);
    }

    @Test
    void aCallerWithoutACertificateMayOnlyProbe() throws Exception {
        HttpClient none = client(null);

        HttpResponse<String> refused = post(none, door.envelope("/ok"));

        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("client certificate");
        assertThat(get(none, "/livez").statusCode()).isEqualTo(200);
        assertThat(get(none, "/readyz").statusCode()).isEqualTo(200);
        assertThat(get(none, "/metrics").statusCode()).isEqualTo(403);
        assertThat(get(none, "/v1/openapi.json").statusCode()).isEqualTo(403);
        assertThat(door.targetRequests()).isZero();
    }

    @Test
    void aCertificateWithoutTheNameOfAnAppIsRefused() throws Exception {
        HttpResponse<String> refused = post(client(authority.issue("O=example")), door.envelope("/ok"));

        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("common name");
    }

    @Test
    void aCertificateOfAnotherAuthorityIsRefused() throws Exception {
        HttpClient foreign = client(new PrivateAuthority("CN=others").issue("CN=shop"));

        assertThatThrownBy(() -> get(foreign, "/livez")).isInstanceOf(IOException.class);
    }

    @Test
    void aPlainRequestToThePortOfTlsIsClosedWithoutAStackTrace() throws Exception {
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        List<ILoggingEvent> traces = new CopyOnWriteArrayList<>();
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                if (event.getThrowableProxy() != null && event.getThreadName().startsWith("iocluster-door")) {
                    traces.add(event);
                }
            }
        };
        appender.start();
        root.addAppender(appender);

        assertThat(door.raw("GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")).doesNotContain("200");
        assertThat(get(client(null), "/livez").statusCode()).isEqualTo(200);

        root.detachAppender(appender);
        assertThat(traces).extracting(ILoggingEvent::getLoggerName).isEmpty();
    }

    private HttpResponse<String> post(HttpClient client, String envelope, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri("/v1/calls")).header("Content-Type", "application/json");
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.POST(BodyPublishers.ofString(envelope)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> get(HttpClient client, String path) throws Exception {
        return client.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("https://127.0.0.1:" + door.door.address().getPort() + path);
    }

    /** Returns a client with this certificate; null for none. */
    private HttpClient client(X509Bundle certificate) throws Exception {
        KeyManager[] sent = certificate == null ? null : new KeyManager[] {new SentCertificate(certificate)};
        return HttpClient.newBuilder()
                .sslContext(authority.context(sent))
                .connectTimeout(Duration.ofSeconds(20))
                .build();
    }

    /** Sends a certificate even if the server does not accept its authority. */
    private static final class SentCertificate extends X509ExtendedKeyManager {
        private final X509Bundle certificate;

        SentCertificate(X509Bundle certificate) {
            this.certificate = certificate;
        }

        @Override
        public String[] getClientAliases(String keyType, Principal[] issuers) {
            return new String[] {"only"};
        }

        @Override
        public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
            return "only";
        }

        @Override
        public String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
            return "only";
        }

        @Override
        public String[] getServerAliases(String keyType, Principal[] issuers) {
            return null;
        }

        @Override
        public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
            return null;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return certificate.getCertificatePath();
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return certificate.getKeyPair().getPrivate();
        }
    }
}
