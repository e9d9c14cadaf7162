package io.iocluster.node.httpd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.Answer;
import io.iocluster.message.Header;
import io.iocluster.message.SentStatus;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.process.TempDirectory;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests the node with nginx as the target: without TLS, with TLS and a private authority, and with client certificates.
 * Each of the addresses 127.0.0.1 to 127.0.0.4 is a destination with different connection settings.
 */
@Timeout(120)
class NginxIT {

    private static final TempDirectory FOLDER = new TempDirectory("nginx");
    private static final int[] PORTS = FreePorts.find(4);
    private static HttpServerProcess nginx;
    private static InMemoryNode node;

    @BeforeAll
    static void start() throws Exception {
        writeCertificates();
        Files.writeString(FOLDER.resolve("long.txt"), "text ".repeat(10_000));
        nginx = HttpServerProcess.nginx(
                FOLDER, PORTS[0], """
                gzip on; gzip_vary on; gzip_types text/plain; gzip_min_length 1;
                ssl_certificate %1$s/target.pem; ssl_certificate_key %1$s/target.key;
                server {
                  listen %2$d;
                  location / { root %1$s; }
                  location /no-answer { return 444; }
                  location /cut { proxy_pass http://127.0.0.1:%5$d/; proxy_buffering off; proxy_read_timeout 300ms; }
                }
                server { listen %3$d ssl http2; location / { return 200 "$server_protocol"; } }
                server {
                  listen %4$d ssl http2; ssl_verify_client on; ssl_client_certificate %1$s/ca.pem;
                  location / { return 200 "$ssl_client_s_dn"; }
                }
                server { listen %5$d; location / { root %1$s; try_files /long.txt =404; limit_rate 2k; gzip off; } }
                """.formatted(FOLDER.path(), PORTS[0], PORTS[1], PORTS[2], PORTS[3]));
        node = new InMemoryNode("""
                destinations:
                  - {match: 127.0.0.1, compression: true, tls: {ca: %1$s/ca.pem}}
                  - {match: 127.0.0.2, http2: false, tls: {ca: %1$s/ca.pem}}
                  - {match: 127.0.0.3, tls: {ca: %1$s/ca.pem, certificate: %1$s/node.pem, key: %1$s/node.key}}
                """.formatted(FOLDER.path()));
    }

    private static void writeCertificates() throws Exception {
        X509Bundle authority =
                builder("CN=private authority").setIsCertificateAuthority(true).buildSelfSigned();
        CertificateBuilder target = builder("CN=target");
        for (int i = 1; i <= 4; i++) {
            target.addSanIpAddress("127.0.0." + i);
        }
        Files.writeString(FOLDER.resolve("ca.pem"), authority.getCertificatePEM());
        write("target", target.buildIssuedBy(authority));
        write("node", builder("CN=node-1").buildIssuedBy(authority));
    }

    private static CertificateBuilder builder(String subject) {
        return new CertificateBuilder().ecp256().subject(subject);
    }

    private static void write(String name, X509Bundle identity) throws Exception {
        Files.writeString(FOLDER.resolve(name + ".pem"), identity.getCertificatePathPEM());
        Files.writeString(FOLDER.resolve(name + ".key"), identity.getPrivateKeyPEM());
    }

    @AfterAll
    static void stop() {
        node.close();
        nginx.close();
        FOLDER.close();
    }

    @Test
    void requestsCompressionAndDecompresses() {
        Answer answer = node.get("http://127.0.0.1:" + PORTS[0] + "/long.txt");

        assertThat(text(answer)).isEqualTo("text ".repeat(10_000));
        assertThat(answer.headers())
                .as("headers of an answer that was compressed")
                .contains(new Header("vary", "Accept-Encoding"))
                .extracting(Header::name)
                .doesNotContain("content-encoding", "transfer-encoding", "connection");
    }

    @Test
    void usesHttp2UnlessItIsDisabled() {
        assertThat(text(node.get("https://127.0.0.1:" + PORTS[1] + "/"))).isEqualTo("HTTP/2.0");
        assertThat(text(node.get("https://127.0.0.2:" + PORTS[1] + "/"))).isEqualTo("HTTP/1.1");
    }

    @Test
    void rejectsAPrivateAuthorityUnlessItIsConfigured() {
        Answer answer = node.get("https://127.0.0.4:" + PORTS[1] + "/");

        assertThat(answer.error().code()).isEqualTo("tls");
        assertThat(answer.error().sent()).isEqualTo(SentStatus.NO);
    }

    @Test
    void presentsItsClientCertificate() {
        assertThat(text(node.get("https://127.0.0.3:" + PORTS[2] + "/"))).isEqualTo("CN=node-1");
        assertThat(node.get("https://127.0.0.1:" + PORTS[2] + "/").status())
                .as("nginx's answer to a client without a certificate")
                .isEqualTo(400);
    }

    @Test
    void failsIfTheTargetClosesTheConnection() {
        Answer answer = node.get("http://127.0.0.1:" + PORTS[0] + "/no-answer", "\"retry\": {\"maxAttempts\": 1}");

        assertThat(answer.error().code()).isEqualTo("connection-closed");
        assertThat(answer.error().sent()).isEqualTo(SentStatus.MAYBE);
    }

    @Test
    void rejectsATruncatedStream() {
        Answer answer = node.get("http://127.0.0.1:" + PORTS[0] + "/cut", "\"retry\": {\"maxAttempts\": 1}");

        assertThat(answer.error().code()).isEqualTo("connection-closed");
    }

    private static String text(Answer answer) {
        assertThat(answer.error()).isNull();
        return new String(answer.body(), UTF_8);
    }
}
