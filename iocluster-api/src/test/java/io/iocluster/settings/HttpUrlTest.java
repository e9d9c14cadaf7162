package io.iocluster.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpUrlTest {

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:8080", "HTTPS://h/a?b=c", "http://[::1]:1/", "https://user@h"})
    void acceptsAUrlOfAnHttpServer(String text) {
        assertThat(HttpUrl.parse(text)).isPresent();
        HttpUrl.check(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "h:80", "127.0.0.1", "ftp://h/", "http:///a", "http://", "/a", "http://a b/", "http://h:port"
            })
    void rejectsEverythingElse(String text) {
        assertThat(HttpUrl.parse(text)).isEmpty();
        assertThatThrownBy(() -> HttpUrl.check(text)).hasMessage("is not a URL such as http://127.0.0.1:8080: " + text);
    }
}
