package io.iocluster.kafka.requirement;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class ClientRequirementsTest {

    private static final String URLS = "org.apache.kafka.sasl.oauthbearer.allowed.urls";
    private static final String FILES = "org.apache.kafka.sasl.oauthbearer.allowed.files";
    private static final String PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule";
    private static final String SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule";
    private static final String KERBEROS = "com.sun.security.auth.module.Krb5LoginModule";
    private static final String CREDENTIALS = " required username=\"u\" password=\"hush\";";
    private static final String OAUTH = "org.apache.kafka.common.security.oauthbearer.";

    @TempDir
    private Path folder;

    @AfterEach
    void clearSystemProperties() {
        System.clearProperty(URLS);
        System.clearProperty(FILES);
    }

    @Test
    void acceptsClientsWithoutLogin() {
        assertThat(problems(Map.of())).isEmpty();
        assertThat(problems(Map.of("sasl.mechanism", "NOTHING"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
    void acceptsEachCompressionThatCanBeLoaded(String type) {
        assertThat(problems(Map.of("compression.type", type))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"PLAIN, " + PLAIN, "SCRAM-SHA-256, " + SCRAM, "SCRAM-SHA-512, " + SCRAM})
    void acceptsAUserWithAPassword(String mechanism, String module) {
        assertThat(problems(sasl(mechanism, module + CREDENTIALS))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"PLAIN, " + PLAIN, "SCRAM-SHA-512, " + SCRAM, "GSSAPI, " + KERBEROS, "OAUTHBEARER, " + OAUTH})
    void saysWhichLoginModuleIsMissing(String mechanism, String module) {
        assertThat(problems(Map.of("security.protocol", "sasl_plaintext", "sasl.mechanism", mechanism)))
                .singleElement()
                .asString()
                .startsWith("properties.sasl.jaas.config is missing, and sasl.mechanism " + mechanism
                        + " needs a login module; write " + module);
    }

    @Test
    void usesKerberosIfNoMechanismIsSet() {
        assertThat(problems(Map.of("security.protocol", "SASL_PLAINTEXT")))
                .singleElement()
                .asString()
                .contains("sasl.mechanism GSSAPI needs a login module");
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN + " required username=u hush", "hush hush hush;", "hush", PLAIN + " required hush;"})
    void doesNotShowALoginThatCannotBeParsed(String jaas) {
        assertThat(problems(sasl("PLAIN", jaas)))
                .singleElement()
                .asString()
                .startsWith(
                        "properties.sasl.jaas.config is not one login module with its options and a semicolon; write")
                .doesNotContain("hush");
    }

    @Test
    void namesALoginModuleThatIsNotOnTheClassPath() {
        assertThat(problems(sasl("AWS_MSK_IAM", "software.amazon.msk.auth.iam.IAMLoginModule required;")))
                .containsExactly("properties.sasl.jaas.config cannot be used: the class"
                        + " software.amazon.msk.auth.iam.IAMLoginModule is not on the class path; add its jar, for a node"
                        + " or a door to the folder lib");
    }

    @Test
    void namesALoginModuleOfAnotherMechanism() {
        assertThat(problems(sasl("SCRAM-SHA-512", PLAIN + CREDENTIALS)))
                .singleElement()
                .asString()
                .startsWith("properties.sasl.jaas.config has a login module of another mechanism, " + PLAIN
                        + ", and sasl.mechanism is SCRAM-SHA-512; write " + SCRAM)
                .doesNotContain("hush");
    }

    @Test
    void namesAMissingPassword() {
        assertThat(problems(sasl("PLAIN", PLAIN + " required username=\"u\";")))
                .singleElement()
                .asString()
                .startsWith("properties.sasl.jaas.config has no option password; write " + PLAIN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SCRAM-SHA512", "plain", "X"})
    void namesAMechanismThatNothingOffers(String mechanism) {
        assertThat(problems(sasl(mechanism, SCRAM + CREDENTIALS)))
                .singleElement()
                .asString()
                .startsWith("properties.sasl.mechanism " + mechanism + " is not known");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "interceptor.classes",
                "metric.reporters",
                "partition.assignment.strategy",
                "partitioner.class",
                "sasl.client.callback.handler.class",
                "sasl.login.callback.handler.class",
                "sasl.login.class",
                "sasl.oauthbearer.jwt.retriever.class",
                "sasl.oauthbearer.jwt.validator.class",
                "security.providers",
                "ssl.engine.factory.class"
            })
    void namesAnyPluginThatIsNotOnTheClassPath(String property) {
        assertThat(problems(Map.of(property, "com.example.Gone")))
                .containsExactly("properties." + property + " cannot be used: the class com.example.Gone is not on the"
                        + " class path; add its jar, for a node or a door to the folder lib");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ssl.keystore.location", "ssl.truststore.location"})
    void namesAStoreThatCannotBeRead(String property) {
        assertThat(problems(Map.of("security.protocol", "SSL", property, "gone.p12", "ssl.keystore.password", "hush")))
                .containsExactly("properties." + property + " cannot be read: gone.p12");
    }

    @Test
    void namesAStoreThatIsBroken() throws IOException {
        String store =
                Files.writeString(folder.resolve("broken.p12"), "nothing").toString();

        assertThat(problems(Map.of(
                        "security.protocol", "SSL", "ssl.keystore.location", store, "ssl.keystore.password", "hush")))
                .singleElement()
                .asString()
                .startsWith("properties.security.protocol SSL cannot be used: Failed to load SSL keystore " + store)
                .doesNotContain("hush");
    }

    @ParameterizedTest
    @CsvSource({
        OAUTH + "DefaultJwtValidator, org.jose4j., org.bitbucket.b_c:jose4j",
        OAUTH + "BrokerJwtValidator, org.jose4j., org.bitbucket.b_c:jose4j",
        "com.github.luben.zstd.ZstdOutputStreamNoFinalizer, com.github.luben.zstd., com.github.luben:zstd-jni",
        "net.jpountz.lz4.LZ4Factory, net.jpountz., at.yawk.lz4:lz4-java",
        "org.xerial.snappy.Snappy, org.xerial.snappy., org.xerial.snappy:snappy-java"
    })
    void namesTheMissingLibraryThatAKafkaClassNeeds(String className, String missing, String library)
            throws IOException {
        URL kafka = KafkaException.class.getProtectionDomain().getCodeSource().getLocation();
        URL slf4j = LoggerFactory.class.getProtectionDomain().getCodeSource().getLocation();
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader withoutLibraries =
                new URLClassLoader(new URL[] {kafka, slf4j}, ClassLoader.getPlatformClassLoader())) {
            Thread.currentThread().setContextClassLoader(withoutLibraries);

            assertThat(LoadableClass.obstacle(className))
                    .startsWith("the class " + missing)
                    .endsWith(" is not on the class path; add " + library + ", for a node or a door to the folder lib");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    void saysWhereANativeLibraryMustBeLoadable() {
        assertThat(LoadableClass.obstacle(WithoutNativeLibrary.class.getName()))
                .isEqualTo("the native library of the class " + WithoutNativeLibrary.class.getName()
                        + " cannot be loaded (/tmp/lib.so: failed to map segment); the folder java.io.tmpdir must be"
                        + " writable, and its file system must not be mounted noexec");
    }

    /** Fails as a library does that cannot map its native part. */
    private static final class WithoutNativeLibrary {
        private static final String LOADED = load();

        private static String load() {
            throw new UnsatisfiedLinkError("/tmp/lib.so: failed to map segment\nand more");
        }
    }

    @Test
    void namesWhatKerberosNeeds() throws IOException {
        String keyTab = Files.createFile(folder.resolve("node.keytab")).toString();
        String login = KERBEROS + " required useKeyTab=true storeKey=true principal=\"node@TEST\" keyTab=\"";

        assertThat(problems(sasl("GSSAPI", login + keyTab + "\" serviceName=kafka;")))
                .isEmpty();
        assertThat(problems(sasl("GSSAPI", login + keyTab + "\";")))
                .containsExactly("properties.sasl.kerberos.service.name must be set to the first part of the brokers'"
                        + " principal, usually kafka");
        assertThat(problems(sasl("GSSAPI", login + "/gone.keytab\" serviceName=kafka;")))
                .containsExactly("properties.sasl.jaas.config names a keyTab that cannot be read: /gone.keytab");
        assertThat(problems(sasl("GSSAPI", KERBEROS + " required principal=\"node@TEST\" serviceName=kafka;")))
                .containsExactly("properties.sasl.jaas.config has neither useKeyTab=true nor useTicketCache=true, and"
                        + " the node cannot ask for a password");
    }

    @Test
    void allowsTheTokenEndpointOfTheConfigurationAndEarlierOnes() {
        assertThat(problems(oauth("https://one.example/token"))).isEmpty();
        assertThat(problems(oauth("https://two.example/token"))).isEmpty();

        assertThat(System.getProperty(URLS)).isEqualTo("https://one.example/token,https://two.example/token");
    }

    @Test
    void doesNotChangeASystemPropertyThatTheOperatorSet() {
        // A value that no other test lets the class write, because it would then change it.
        System.setProperty(URLS, "https://operator.example/token");

        assertThat(problems(oauth("https://operator.example/token"))).isEmpty();
        assertThat(problems(oauth("https://two.example/token")))
                .containsExactly("properties.sasl.oauthbearer.token.endpoint.url is not in the system property " + URLS
                        + "; add it there, or remove the system property to allow every configured value");
        assertThat(System.getProperty(URLS)).isEqualTo("https://operator.example/token");
    }

    @Test
    void allowsTheFilesOfAnAssertion() throws IOException {
        Path assertion = Files.writeString(folder.resolve("assertion.jwt"), "e30.e30.e30");
        Map<String, String> properties = oauth("https://one.example/token");
        properties.put("sasl.oauthbearer.jwt.retriever.class", OAUTH + "JwtBearerJwtRetriever");
        properties.put("sasl.oauthbearer.assertion.file", assertion.toString());

        assertThat(problems(properties)).isEmpty();
        assertThat(System.getProperty(FILES)).isEqualTo(assertion.toString());

        properties.put("sasl.oauthbearer.assertion.file", folder.resolve("gone").toString());
        assertThat(problems(properties))
                .singleElement()
                .asString()
                .startsWith("properties.sasl.mechanism OAUTHBEARER cannot be used: ")
                .contains("sasl.oauthbearer.assertion.file", "gone", "doesn't exist");
    }

    @ParameterizedTest
    @CsvSource({
        "sasl.oauthbearer.token.endpoint.url, sasl.oauthbearer.token.endpoint.url value is required",
        "sasl.oauthbearer.client.credentials.client.id, sasl.oauthbearer.client.credentials.client.id",
        "sasl.oauthbearer.client.credentials.client.secret, sasl.oauthbearer.client.credentials.client.secret"
    })
    void namesAMissingPropertyOfTheTokenEndpoint(String property, String problem) {
        Map<String, String> properties = oauth("https://one.example/token");
        properties.remove(property);

        assertThat(problems(properties))
                .singleElement()
                .asString()
                .startsWith("properties.sasl.mechanism OAUTHBEARER cannot be used: ")
                .contains(problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"u:hush@one.example/token", "ftp://u:hush@one.example/token", "file:///gone.jwt"})
    void refusesATokenEndpointThatIsNotUsable(String url) {
        assertThat(problems(oauth(url)))
                .singleElement()
                .asString()
                .contains("token.endpoint.url")
                .doesNotContain("hush");
    }

    @Test
    void refusesATokenEndpointWithAComma() {
        assertThat(problems(oauth("https://one.example/token?a=1,2")))
                .containsExactly("properties.sasl.oauthbearer.token.endpoint.url must not contain a comma, because the"
                        + " Kafka clients cannot allow it");
    }

    @Test
    void namesTheHandlerThatOlderKafkaClientsHadElsewhere() {
        Map<String, String> properties = oauth("https://one.example/token");
        properties.put("sasl.login.callback.handler.class", OAUTH + "secured.OAuthBearerLoginCallbackHandler");

        assertThat(problems(properties))
                .containsExactly(
                        "properties.sasl.login.callback.handler.class cannot be used: the Kafka clients have no"
                                + " class " + OAUTH + "secured.OAuthBearerLoginCallbackHandler; use " + OAUTH
                                + "OAuthBearerLoginCallbackHandler");
    }

    @Test
    void saysThatTokensOfAnEndpointNeedItsCallbackHandler() {
        Map<String, String> properties = oauth("https://one.example/token");
        properties.remove("sasl.login.callback.handler.class");

        assertThat(problems(properties))
                .containsExactly(
                        "properties.sasl.login.callback.handler.class is missing, so the Kafka client would get"
                                + " no token from sasl.oauthbearer.token.endpoint.url; set it to " + OAUTH
                                + "OAuthBearerLoginCallbackHandler");
    }

    private static Map<String, String> sasl(String mechanism, String jaas) {
        return Map.of("security.protocol", "SASL_PLAINTEXT", "sasl.mechanism", mechanism, "sasl.jaas.config", jaas);
    }

    private static Map<String, String> oauth(String url) {
        Map<String, String> properties = new HashMap<>(sasl("OAUTHBEARER", OAUTH + "OAuthBearerLoginModule required;"));
        properties.put("sasl.login.callback.handler.class", OAUTH + "OAuthBearerLoginCallbackHandler");
        properties.put("sasl.oauthbearer.token.endpoint.url", url);
        properties.put("sasl.oauthbearer.client.credentials.client.id", "node");
        properties.put("sasl.oauthbearer.client.credentials.client.secret", "hush");
        return properties;
    }

    private static List<String> problems(Map<String, String> properties) {
        try {
            KafkaTestSettings.with(properties).requireUsableClients();
            return List.of();
        } catch (InvalidSettingsException invalid) {
            return invalid.invalidSettings().stream()
                    .map(InvalidSetting::toString)
                    .toList();
        }
    }
}
