package io.iocluster.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretNamesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sasl.jaas.config",
                "ssl.key.password",
                "ssl.keystore.key",
                "listener.name.a.SSL.KEYSTORE.KEY",
                "key",
                "oauth.client.secret",
                "bearer-token",
                "api-key",
                "apikey",
                "private_key_pem",
                "credentials"
            })
    void hidesPropertiesThatMayBeSecret(String property) {
        assertThat(SecretNames.isSecret(property)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "security.protocol",
                "sasl.mechanism",
                "ssl.keystore.location",
                "key.words",
                "monkey",
                "linger.ms"
            })
    void showsOtherProperties(String property) {
        assertThat(SecretNames.isSecret(property)).isFalse();
    }
}
