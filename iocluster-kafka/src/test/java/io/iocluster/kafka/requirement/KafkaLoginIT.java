package io.iocluster.kafka.requirement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.KafkaTransport;
import io.iocluster.kafka.client.KafkaRequestPublisher;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.ledger.TestRecords;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.testkit.kafka.KafkaProcess;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each way in which a node can log in to a real broker, and each compression. */
class KafkaLoginIT {

    private static final String PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule";
    private static final String SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule";
    private static final String KERBEROS = "com.sun.security.auth.module.Krb5LoginModule";
    private static final String OAUTH = "org.apache.kafka.common.security.oauthbearer.";
    private static final String KRB5_CONF = "java.security.krb5.conf";

    private static final String REALM = "IOCLUSTER.TEST";
    private static final int ANSWER_BYTES = 50_000;

    @TempDir
    private static Path folder;

    private static TokenServer tokens;
    private static SimpleKdcServer kerberos;
    private static int plainPort;
    private static int loginPort;
    private static int kerberosPort;
    private static int tlsPort;
    static KafkaProcess broker;

    @BeforeAll
    static void startServers() throws Exception {
        tokens = new TokenServer();
        startKerberos();
        int[] ports = FreePorts.find(4);
        plainPort = ports[0];
        loginPort = ports[1];
        kerberosPort = ports[2];
        tlsPort = ports[3];
        Map<String, Integer> listeners = new LinkedHashMap<>();
        listeners.put("LOGIN", loginPort);
        // A broker cannot combine Kerberos with other mechanisms on one listener.
        listeners.put("KERBEROS", kerberosPort);
        listeners.put("TLS", tlsPort);
        Map<String, String> properties = new HashMap<>(loginProperties());
        properties.putAll(tlsProperties());
        properties.put("listener.security.protocol.map", "LOGIN:SASL_PLAINTEXT,KERBEROS:SASL_PLAINTEXT,TLS:SSL");
        properties.put("offset.metadata.max.bytes", "256");
        properties.put("group.coordinator.rebalance.protocols", "classic");
        Map<String, String> systemProperties = Map.of(
                "org.apache.kafka.sasl.oauthbearer.allowed.urls",
                keys().toString(),
                KRB5_CONF,
                System.getProperty(KRB5_CONF));
        broker = KafkaProcess.launch(plainPort, listeners, properties, systemProperties);
        createScramUser();
    }

    @AfterAll
    static void stopServers() throws KrbException {
        if (broker != null) {
            broker.close();
        }
        System.clearProperty(KRB5_CONF);
        kerberos.stop();
        tokens.close();
    }

    private static void startKerberos() throws Exception {
        kerberos = new SimpleKdcServer();
        kerberos.setKdcHost("127.0.0.1");
        kerberos.setKdcRealm(REALM);
        kerberos.setAllowUdp(false);
        kerberos.setKdcTcpPort(FreePorts.find(1)[0]);
        kerberos.setWorkDir(folder.toFile());
        kerberos.init();
        kerberos.start();
        System.setProperty(KRB5_CONF, folder.resolve("krb5.conf").toString());
        for (String principal : List.of(brokerPrincipal(), "node@" + REALM)) {
            kerberos.createPrincipal(principal);
            kerberos.exportPrincipal(principal, keyTab(principal).toFile());
        }
    }

    /** Returns the principal that clients ask for: they look up the name of the broker's address. */
    private static String brokerPrincipal() throws IOException {
        return "kafka/" + InetAddress.getByAddress(new byte[] {127, 0, 0, 1}).getCanonicalHostName() + "@" + REALM;
    }

    private static Path keyTab(String principal) {
        return folder.resolve(principal.startsWith("kafka") ? "broker.keytab" : "node.keytab");
    }

    private static String kerberosLogin(String principal) {
        return KERBEROS + " required useKeyTab=true storeKey=true refreshKrb5Config=true principal=\"" + principal
                + "\" keyTab=\"" + keyTab(principal) + "\" serviceName=kafka;";
    }

    private static Map<String, String> loginProperties() throws IOException {
        String prefix = "listener.name.login.";
        Map<String, String> properties = new HashMap<>();
        properties.put(prefix + "sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER");
        properties.put("listener.name.kerberos.sasl.enabled.mechanisms", "GSSAPI");
        properties.put(
                prefix + "plain.sasl.jaas.config",
                PLAIN + " required username=\"broker\" password=\"broker\" user_node=\"right\";");
        properties.put(prefix + "scram-sha-256.sasl.jaas.config", SCRAM + " required;");
        properties.put(prefix + "scram-sha-512.sasl.jaas.config", SCRAM + " required;");
        properties.put("listener.name.kerberos.gssapi.sasl.jaas.config", kerberosLogin(brokerPrincipal()));
        properties.put(prefix + "oauthbearer.sasl.jaas.config", OAUTH + "OAuthBearerLoginModule required;");
        properties.put(
                prefix + "oauthbearer.sasl.server.callback.handler.class",
                OAUTH + "OAuthBearerValidatorCallbackHandler");
        properties.put(prefix + "oauthbearer.sasl.oauthbearer.jwks.endpoint.url", keys().toString());
        properties.put(prefix + "oauthbearer.sasl.oauthbearer.expected.audience", "kafka");
        properties.put(prefix + "oauthbearer.sasl.oauthbearer.expected.issuer", "https://issuer.example");
        return properties;
    }

    private static URI keys() throws IOException {
        return Files.writeString(folder.resolve("keys.json"), tokens.keys()).toUri();
    }

    private static Map<String, String> tlsProperties() throws Exception {
        X509Bundle authority = new CertificateBuilder()
                .subject("CN=authority")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        Files.writeString(folder.resolve("authority.pem"), authority.getCertificatePathPEM());
        X509Bundle server = new CertificateBuilder()
                .subject("CN=broker")
                .addSanIpAddress("127.0.0.1")
                .buildIssuedBy(authority);
        X509Bundle client = new CertificateBuilder().subject("CN=node").buildIssuedBy(authority);
        for (Map.Entry<String, X509Bundle> each :
                Map.of("broker", server, "node", client).entrySet()) {
            Files.writeString(
                    folder.resolve(each.getKey() + ".pem"),
                    each.getValue().getPrivateKeyPEM() + each.getValue().getCertificatePathPEM());
        }
        Map<String, String> properties = new HashMap<>();
        pemStores("broker").forEach((name, value) -> properties.put("listener.name.tls." + name, value));
        properties.put("listener.name.tls.ssl.client.auth", "required");
        return properties;
    }

    private static Map<String, String> pemStores(String name) {
        return Map.of(
                "ssl.keystore.type",
                "PEM",
                "ssl.keystore.location",
                folder.resolve(name + ".pem").toString(),
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.location",
                folder.resolve("authority.pem").toString());
    }

    private static void createScramUser() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            // A broker changes one mechanism of a user in each request.
            for (ScramMechanism mechanism : List.of(ScramMechanism.SCRAM_SHA_256, ScramMechanism.SCRAM_SHA_512)) {
                ScramCredentialInfo info = new ScramCredentialInfo(mechanism, 4_096);
                admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion("node", info, "right")))
                        .all()
                        .get(1, TimeUnit.MINUTES);
            }
        }
    }

    @Nested
    class WithLimits extends LimitedBroker {}

    @ParameterizedTest
    @CsvSource({"PLAIN, " + PLAIN, "SCRAM-SHA-256, " + SCRAM, "SCRAM-SHA-512, " + SCRAM})
    void aNodeLogsInWithAPassword(String mechanism, String module) {
        assertAnswers(
                "password-" + mechanism,
                loginPort,
                login(mechanism, module + " required username=\"node\" password=\"right\";"));
    }

    @Test
    void aNodeLogsInWithATokenOfAnEndpoint() {
        Map<String, String> properties = oauth(tokens.url());
        properties.put("sasl.oauthbearer.client.credentials.client.id", "node");
        properties.put("sasl.oauthbearer.client.credentials.client.secret", "secret");

        assertAnswers("token", loginPort, properties);

        assertThat(tokens.tokens()).isPositive();
    }

    @Test
    void aNodeLogsInWithATokenOfAFile() throws IOException {
        Path token = Files.writeString(folder.resolve("token.jwt"), tokens.token());

        assertAnswers("token-file", loginPort, oauth(token.toUri().toString()));
    }

    @Test
    void aNodeLogsInWithKerberos() {
        assertAnswers("kerberos", kerberosPort, login("GSSAPI", kerberosLogin("node@" + REALM)));
    }

    @Test
    void aNodeLogsInWithItsCertificate() {
        Map<String, String> properties = new HashMap<>(pemStores("node"));
        properties.put("security.protocol", "SSL");

        assertAnswers("certificate", tlsPort, properties);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "snappy", "lz4", "zstd"})
    void aNodeReadsAndWritesCompressedRecords(String type) throws Exception {
        assertAnswers(type, plainPort, Map.of("compression.type", type));

        assertThat(bytesOnDisk(type + ".requests")).isBetween(1L, (long) ANSWER_BYTES);
        assertThat(bytesOnDisk(type + ".answers")).isBetween(1L, (long) ANSWER_BYTES);
    }

    private static long bytesOnDisk(String topic) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            return admin.describeLogDirs(List.of(1)).allDescriptions().get(1, TimeUnit.MINUTES).values().stream()
                    .flatMap(dirs -> dirs.values().stream())
                    .flatMap(dir -> dir.replicaInfos().entrySet().stream())
                    .filter(replica -> replica.getKey().topic().equals(topic))
                    .mapToLong(replica -> replica.getValue().size())
                    .sum();
        }
    }

    private static Map<String, String> login(String mechanism, String jaas) {
        Map<String, String> properties = new HashMap<>();
        properties.put("security.protocol", "SASL_PLAINTEXT");
        properties.put("sasl.mechanism", mechanism);
        properties.put("sasl.jaas.config", jaas);
        return properties;
    }

    private static Map<String, String> oauth(String url) {
        Map<String, String> properties = login("OAUTHBEARER", OAUTH + "OAuthBearerLoginModule required;");
        properties.put("sasl.login.callback.handler.class", OAUTH + "OAuthBearerLoginCallbackHandler");
        properties.put("sasl.oauthbearer.token.endpoint.url", url);
        return properties;
    }

    /** Sends a request and publishes its answer, all with these properties. */
    private static void assertAnswers(String name, int port, Map<String, String> properties) {
        KafkaSettings settings = KafkaTestSettings.of("127.0.0.1:" + port, name, Ordering.NONE, properties);
        assertThatCode(settings::requireUsableClients).doesNotThrowAnyException();
        broker.createTopic(settings.requests().topics().get(0), 1, Map.of());
        byte[] answer = "0123456789".repeat(ANSWER_BYTES / 10).getBytes(StandardCharsets.UTF_8);
        KafkaTransport transport = new KafkaTransport(KafkaConnections.ofSystem(settings, "node"));
        RecordingIntake intake = new RecordingIntake(delivery -> {});
        try (KafkaRequestPublisher requests =
                new KafkaRequestPublisher(KafkaConnections.ofSystem(settings, "sender"))) {
            transport.sink().start();
            transport.source().start(intake);
            assertThat(get(requests.send(answer, TestRecords.bytes(name), Map.of())))
                    .isEqualTo(PublishResult.CONFIRMED);
            await().until(() -> !intake.accepted.isEmpty());
            Delivery request = intake.accepted.get(0);
            assertThat(request.payload()).isEqualTo(answer);
            assertThat(get(transport.sink().publish(request, answer, null))).isEqualTo(PublishResult.CONFIRMED);
            request.settlement().acknowledge();
        } finally {
            transport.source().close(Duration.ofSeconds(5));
            transport.sink().close();
        }
        assertThat(broker.readAll(settings.answers().topic()))
                .extracting(ConsumerRecord::value)
                .containsExactly(answer);
    }

    private static PublishResult get(CompletionStage<PublishResult> stage) {
        return stage.toCompletableFuture().orTimeout(1, TimeUnit.MINUTES).join();
    }
}
