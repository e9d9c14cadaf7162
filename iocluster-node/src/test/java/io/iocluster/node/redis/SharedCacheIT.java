package io.iocluster.node.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.cache.CacheResult;
import io.iocluster.cache.shared.SharedCacheResult;
import io.iocluster.message.Answer;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.process.TempDirectory;
import io.iocluster.testkit.redis.RedisServer;
import io.iocluster.testkit.target.TargetServer;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests nodes that share a cache in a real Redis. */
@Timeout(120)
class SharedCacheIT {

    private static final TempDirectory FOLDER = new TempDirectory("shared-cache");
    private static final int TLS_PORT = FreePorts.find(1)[0];
    private static final String PASSWORD = "open sesame";
    private static final String KEY = "a secret of more than thirty-two characters";
    private static RedisServer redis;

    private final TargetServer target = TargetServer.start();
    private SharingNode one;
    private SharingNode other;

    @BeforeAll
    static void startRedis() throws Exception {
        X509Bundle authority = new CertificateBuilder()
                .ecp256()
                .subject("CN=authority")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        X509Bundle server = new CertificateBuilder()
                .ecp256()
                .subject("CN=redis")
                .addSanIpAddress("127.0.0.1")
                .buildIssuedBy(authority);
        Files.writeString(FOLDER.resolve("ca.pem"), authority.getCertificatePEM());
        Files.writeString(FOLDER.resolve("redis.pem"), server.getCertificatePEM());
        Files.writeString(FOLDER.resolve("redis.key"), server.getPrivateKeyPEM());
        redis = RedisServer.start(
                "--requirepass",
                PASSWORD,
                "--tls-port",
                Integer.toString(TLS_PORT),
                "--tls-cert-file",
                FOLDER.resolve("redis.pem").toString(),
                "--tls-key-file",
                FOLDER.resolve("redis.key").toString(),
                "--tls-ca-cert-file",
                FOLDER.resolve("ca.pem").toString(),
                "--tls-auth-clients",
                "no");
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
        FOLDER.close();
    }

    @BeforeEach
    void startNodes() {
        one = start(redis.url(), PASSWORD);
        other = start(redis.url(), PASSWORD);
    }

    @AfterEach
    void stop() {
        one.close();
        other.close();
        target.close();
    }

    private static SharingNode start(String url, String password, String... more) {
        return SharingNode.start("redis: {url: \"%s\", password: \"%s\"%s}, timeout: 5s, hmac-key: \"%s\""
                .formatted(url, password, String.join("", more), KEY));
    }

    @Test
    void aNodeAnswersWithTheResponseThatAnotherReceived() {
        one.awaitConnected().get(target.url("/echo?secret-path"));
        one.awaitWritten();

        Answer answer = other.awaitConnected().get(target.url("/echo?secret-path"));

        assertThat(answer.cache().hit()).isTrue();
        assertThat(answer.attempts()).isZero();
        assertThat(other.calls(CacheResult.SHARED)).isEqualTo(1);
        assertThat(target.requestLog().requests()).isEqualTo(1);
    }

    @Test
    void aWrongPasswordFailsNoCallAndIsReported() {
        try (SharingNode locked = start(redis.url(), "wrong")) {
            await().until(() -> locked.shared().reason() != null);

            assertThat(locked.get(target.url("/echo")).status()).isEqualTo(200);

            assertThat(locked.shared().connected()).isFalse();
            assertThat(locked.shared().reason()).contains("WRONGPASS").doesNotContain("wrong pass");
        }
    }

    @Test
    void theCertificateOfTheServerIsVerified() {
        String tls = "rediss://127.0.0.1:" + TLS_PORT;
        try (SharingNode trusting = start(tls, PASSWORD, ", tls: {ca: \"" + FOLDER.resolve("ca.pem") + "\"}");
                SharingNode distrustful = start(tls, PASSWORD)) {
            trusting.awaitConnected();
            await().until(() -> distrustful.shared().reason() != null);

            assertThat(distrustful.shared().connected()).isFalse();
            assertThat(distrustful.shared().reason()).containsIgnoringCase("certif");
        }
    }

    @Test
    void noCallFailsWhileRedisIsKilledAndComesBack() {
        try (CapturedLog log = CapturedLog.of("io.iocluster.cache.shared.SharedSession")) {
            one.awaitConnected();
            sendMany(0, 300);
            redis.kill();
            await().until(() -> !one.shared().connected());
            sendMany(300, 300);
            redis.restart();
            one.awaitConnected();
            sendMany(600, 300);

            List<Answer> answers = one.awaitAnswers();

            assertThat(answers).hasSize(900).allMatch(answer -> answer.status() == 200);
            one.awaitWritten();
            // A later call, because the writes of 300 calls at the same time may exceed their limit.
            one.get(target.url("/echo?n=900"));
            one.awaitWritten();
            assertThat(other.awaitConnected()
                            .get(target.url("/echo?n=900"))
                            .cache()
                            .hit())
                    .isTrue();
            assertThat(log.messages().stream().filter(each -> each.contains("not usable")))
                    .hasSizeBetween(1, 2); // of both nodes
        }
    }

    @Test
    void noCallFailsWhileRedisAnswersNothing() {
        one.awaitConnected();
        redis.suspend();
        try {
            sendMany(0, 300);
            assertThat(one.awaitAnswers()).hasSize(300).allMatch(answer -> answer.status() == 200);
            assertThat(one.lookups(SharedCacheResult.HIT)).isZero();
            assertThat(one.shared().breakerOpen()).isTrue();
        } finally {
            redis.resume();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--replicaof 127.0.0.1 1, READONLY, set shared-cache.redis.url to the primary",
        "--maxmemory 1kb, OOM, set maxmemory-policy to allkeys-lfu"
    })
    void theStatusSaysWhyRedisRefusesWritesAndWhatToDo(String options, String code, String advice) {
        try (RedisServer refusing = RedisServer.start(options.split(" "));
                SharingNode node = start(refusing.url(), "")) {
            assertThat(node.awaitConnected().get(target.url("/echo")).status()).isEqualTo(200);

            await().until(() -> node.shared().writeProblem() != null);

            assertThat(node.shared().writeProblem()).startsWith(code).contains(advice);
            assertThat(node.shared().reason()).isNull();
            assertThat(node.get(target.url("/echo")).cache().hit()).isTrue();
        }
    }

    private void sendMany(int from, int count) {
        for (int i = from; i < from + count; i++) {
            one.send(target.url("/echo?n=" + i));
        }
    }
}
