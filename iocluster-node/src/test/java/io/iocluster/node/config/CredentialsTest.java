package io.iocluster.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.credential.CredentialSettings;
import io.iocluster.node.config.binding.EffectiveSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.config.binding.SettingsLoading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the binding and validation of credentials, and that no secret is shown. */
class CredentialsTest {

    private static final String NEW_SECRET = "whsec_bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmV3";
    private static final String OLD_SECRET = "whsec_b2xkb2xkb2xkb2xkb2xkb2xkb2xkb2xk";
    private static final String SECRETS = """
            credentials:
              partner-a: {hosts: a.example, headers: {X-Key: s3cr3t}}
              partner-b: {hosts: b.example, basic: {username: jo, password: s3cr3t}}
              partner-c: {hosts: c.example, bearer: "${TOKEN}"}
              partner-d:
                hosts: ["*.d.example"]
                oauth2: {token-url: "https://id.example/token", client-id: c, client-secret: "${file:secret}",
                         parameters: {assertion: s3cr3t}}
              partner-e: {hosts: e.example, standard-webhooks: {secrets: ["${WEBHOOK}", "${file:webhook}"]}}
              partner-f:
                hosts: f.example
                aws-sig-v4: {access-key-id: AKID, secret-access-key: "${file:secret}", session-token: "${TOKEN}",
                             region: eu-west-1, service: s3}
            """;

    @Test
    void doesNotShowTheTokensOfTheAdminApiAsText() {
        NodeSettings settings = SettingsLoading.node("admin: {token: s3cr3t, read-only-token: r3ader}");
        assertThat(settings.admin().toString()).doesNotContain("s3cr3t", "r3ader");
    }

    @Test
    void readsSecretsFromTheEnvironmentAndFromFiles(@TempDir Path folder) throws IOException {
        NodeSettings settings = secrets(folder).settings();

        assertThat(settings.credentials().get("partner-c").bearer()).isEqualTo("s3cr3t");
        assertThat(settings.credentials().get("partner-d").oauth2().clientSecret())
                .isEqualTo("s3cr3t");
        assertThat(settings.credentials().get("partner-e").standardWebhooks().secrets())
                .containsExactly(NEW_SECRET, OLD_SECRET);
    }

    @Test
    void showsNoSecret(@TempDir Path folder) throws IOException {
        LoadedSettings<NodeSettings> loaded = secrets(folder);

        String effective = new EffectiveSettings(loaded).yaml();

        assertThat(effective)
                .doesNotContain("s3cr3t", "whsec_")
                .contains("username: jo", "client-id: c", "\"***\": \"***\"", "bearer: \"***\"", "password: \"***\"");
        assertThat(loaded.settings().toString()).doesNotContain("s3cr3t", "whsec_");
        assertThat(loaded.settings().credentials().values())
                .noneMatch(each -> (each.standardWebhooks() + " " + each.awsSigV4()).matches(".*(whsec_|s3cr3t).*"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "credentials: {a: {headers: {X-Key: k}}}; credentials.a.hosts must name at least one host",
                "credentials: {a: {hosts: 'h b', bearer: t}};"
                        + " 'credentials.a.hosts[0] is not a host such as partner.example or *.partner.example: h b'",
                "credentials: {a: {hosts: 'h:0', bearer: t}};"
                        + " 'credentials.a.hosts[0] has a port that is not from 1 to 65535: h:0'",
                "credentials: {a: {hosts: h, schemes: [ftp], bearer: t}}; 'credentials.a.schemes[0] must be https or http: ftp'",
                "credentials: {a: {hosts: h, schemes: [], bearer: t}}; credentials.a.schemes must name at least one scheme",
                "credentials: {a: {hosts: h}}; 'credentials.a.headers must be set, or one of bearer, basic, oauth2, standard-webhooks and aws-sig-v4'",
                "credentials: {a: {hosts: h, bearer: t, headers: {authorization: s3cret}}}; credentials.a.headers must set"
                        + " Authorization only once",
                "credentials: {a: {hosts: h, headers: {Host: s3cret}}}; 'credentials.a.headers must be header names that an"
                        + " envelope may have, each with a value of visible ASCII'",
                "credentials: {a: {hosts: h, headers: {X-A: s3cret, x-a: s3cret}}}; 'credentials.a.headers must contain each"
                        + " header only once; names are not case-sensitive'",
                "credentials: {a: {hosts: h, bearer: ' s3cret'}}; 'credentials.a.bearer must be visible ASCII without spaces around it'",
                "credentials: {a: {hosts: h, basic: {password: s3cret}}}; 'credentials.a.basic.username must be set if password"
                        + " is set'",
                "credentials: {a: {hosts: h, basic: {username: 'a:b'}}}; credentials.a.basic.username must not contain a colon",
                "credentials: {a: {hosts: h, oauth2: {client-id: c}}}; 'credentials.a.oauth2.token-url must be set if client-id"
                        + " is set'",
                "credentials: {a: {hosts: h, oauth2: {token-url: 'https://i/'}}}; 'credentials.a.oauth2.client-id must be set"
                        + " if token-url is set'",
                "credentials: {a: {hosts: h, oauth2: {token-url: i, client-id: c}}}; credentials.a.oauth2.token-url must start"
                        + " with https:// or http://",
                "credentials: {a: {hosts: h, bearer: t, oauth2: {timeout: 2m}}}; 'credentials.a.oauth2.timeout must be at most 1m: 2m'",
                "credentials: {a: {hosts: h, bearer: t, oauth2: {default-lifetime: 0s}}}; 'credentials.a.oauth2.default-lifetime must be positive: 0s'",
                "credentials: {a: {hosts: h, bearer: t, oauth2: {failure-backoff: -1s}}}; 'credentials.a.oauth2.failure-backoff must not be negative: -1s'",
                "credentials: {a: {hosts: h, bearer: t, oauth2: {refresh-ahead: -1s}}};"
                        + " 'credentials.a.oauth2.refresh-ahead must not be negative: -1s'",
                "credentials: {a: {hosts: h, standard-webhooks: {secrets: s3cret}}};"
                        + " 'credentials.a.standard-webhooks.secrets[0] must be whsec_ and the base64 of 24 to 64 bytes'",
                "credentials: {a: {hosts: h, standard-webhooks: {secrets: [whsec_bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmV3, whsec_s3cretAA]}}};"
                        + " 'credentials.a.standard-webhooks.secrets[1] must be whsec_ and the base64 of 24 to 64 bytes'",
                "credentials: {a: {hosts: h, standard-webhooks: {secrets: 'whsec_s3cret*'}}};"
                        + " 'credentials.a.standard-webhooks.secrets[0] must be whsec_ and the base64 of 24 to 64 bytes'",
                "credentials: {a: {hosts: h, standard-webhooks: {secrets: [whsec_, whsec_, whsec_, whsec_, whsec_, whsec_]}}};"
                        + " 'credentials.a.standard-webhooks.secrets must have at most 5 entries'",
                "credentials: {a: {hosts: h, headers: {Webhook-Id: s3cret}, standard-webhooks: {secrets: whsec_bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmV3}}};"
                        + " 'credentials.a.headers must not contain webhook-id, webhook-timestamp or webhook-signature,"
                        + " because standard-webhooks sets them'",
                "credentials: {a: {hosts: h, aws-sig-v4: {secret-access-key: s3cret}}};"
                        + " 'credentials.a.aws-sig-v4.access-key-id must be set if another key of aws-sig-v4 is set'",
                "credentials: {a: {hosts: h, aws-sig-v4: {access-key-id: A, region: r, service: s}}};"
                        + " 'credentials.a.aws-sig-v4.secret-access-key must be set, in visible ASCII without spaces'",
                "credentials: {a: {hosts: h, aws-sig-v4: {access-key-id: A, secret-access-key: 's3cret x', region: r, service: s}}};"
                        + " 'credentials.a.aws-sig-v4.secret-access-key must be set, in visible ASCII without spaces'",
                "credentials: {a: {hosts: h, aws-sig-v4: {access-key-id: A, secret-access-key: s3cret, session-token: 'a b', region: r,"
                        + " service: s}}}; 'credentials.a.aws-sig-v4.session-token must be visible ASCII without spaces'",
                "credentials: {a: {hosts: h, aws-sig-v4: {access-key-id: A/B, secret-access-key: s3cret, region: r, service: s}}};"
                        + " 'credentials.a.aws-sig-v4.access-key-id must be letters, digits and _'",
                "credentials: {a: {hosts: h, aws-sig-v4: {access-key-id: A, secret-access-key: s3cret, region: EU, service: s}}};"
                        + " 'credentials.a.aws-sig-v4.region must be a region such as eu-west-1: EU'",
                "credentials: {a: {hosts: h, aws-sig-v4: {access-key-id: A, secret-access-key: s3cret, region: r}}};"
                        + " 'credentials.a.aws-sig-v4.service must be a service such as execute-api: '",
                "credentials: {a: {hosts: h, bearer: t, aws-sig-v4: {access-key-id: A, secret-access-key: s3cret, region: r, service: s}}};"
                        + " credentials.a.headers must set Authorization only once",
                "credentials: {a: {hosts: h, headers: {x-amz-date: s3cret}, aws-sig-v4: {access-key-id: A, secret-access-key: s3cret,"
                        + " region: r, service: s}}}; 'credentials.a.headers must not contain Authorization, X-Amz-Date,"
                        + " X-Amz-Content-Sha256 or X-Amz-Security-Token, because aws-sig-v4 sets them'",
                "credentials: {a b: {hosts: h, bearer: t}}; 'credentials must have names of 1 to 100 letters, digits, _ and -: a b'",
                "destination-defaults: {credential: a}; 'destination-defaults.credential names no entry of"
                        + " credentials: a'",
                "destinations: [{match: a.example, credential: a}]; 'destinations[0].credential names no entry of"
                        + " credentials: a'"
            })
    void reportsEachErrorWithoutTheSecret(String yaml, String error) {
        assertThat(SettingsLoading.errors(yaml)).contains(error).noneMatch(each -> each.contains("s3cret"));
    }

    @Test
    void warnsThatSignedCallsAreSentUnencrypted() {
        CredentialSettings signing = SettingsLoading.node("credentials: {a: {hosts: h.example, schemes: [http],"
                        + " standard-webhooks: {secrets: " + NEW_SECRET + "}}}")
                .credentials()
                .get("a");

        assertThat(signing.warnings())
                .containsExactly("schemes has http: signed calls are sent unencrypted to h.example; use [https]");
    }

    private static LoadedSettings<NodeSettings> secrets(Path folder) throws IOException {
        Files.writeString(folder.resolve("secret"), "s3cr3t\n");
        Files.writeString(folder.resolve("webhook"), OLD_SECRET + "\n");
        return new SettingsLoader<>(NodeSettings.class, Map.of("TOKEN", "s3cr3t", "WEBHOOK", NEW_SECRET))
                .load(SECRETS, folder);
    }
}
