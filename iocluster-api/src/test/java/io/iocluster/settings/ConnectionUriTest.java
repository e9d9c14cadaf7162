package io.iocluster.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionUriTest {

    @Test
    void readsEachPartAndDecodesTheLogin() {
        ConnectionUri uri = ConnectionUri.parse("AMQPS://jo%40x:p%2F%3A+%25@broker_1.example:5671/my%2Fhost");

        assertThat(uri.scheme()).isEqualTo("amqps");
        assertThat(uri.user()).isEqualTo("jo@x");
        assertThat(uri.password()).isEqualTo("p/:+%");
        assertThat(uri.host()).isEqualTo("broker_1.example");
        assertThat(uri.port()).isEqualTo(5671);
        assertThat(uri.path()).isEqualTo("my%2Fhost");
        assertThat(ConnectionUri.percentDecode(uri.path())).isEqualTo("my/host");
    }

    @Test
    void requiresOnlySchemeAndHost() {
        ConnectionUri uri = ConnectionUri.parse("amqp://[::1]");

        assertThat(uri).isEqualTo(new ConnectionUri("amqp", "", "", "::1", -1, ""));
        assertThat(uri).hasToString("amqp://[::1]");
    }

    @Test
    void neverShowsThePassword() {
        assertThat(ConnectionUri.parse("amqp://guest:hush@h:5672/")).hasToString("amqp://guest:***@h:5672");
        assertThat(ConnectionUri.parse("amqp://guest@h:5672/v")).hasToString("amqp://guest@h:5672/v");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hush",
                "h:5672",
                "amqp:///v",
                "amqp://u:hush@",
                "amqp://u:hu sh@h",
                "amqp://u:hush#1@h",
                "amqp://u:hu%s@h",
                "amqp://u:hush@h:70000",
                "amqp://u:hush@h:0",
                "amqp://u:hush@h:x",
                "amqp://u:hush@h/v?heartbeat=5"
            })
    void refusesAnInvalidUriWithoutQuotingIt(String text) {
        assertThatThrownBy(() -> ConnectionUri.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .doesNotContain("hush");
    }
}
