package io.iocluster.node.tap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretRedactionTest {

    private final SecretRedaction secrets = new SecretRedaction(List.of("Bearer abcd/efgh", "abcd", "x", "two words"));

    @ParameterizedTest
    @CsvSource({
        "id Bearer abcd/efgh, id ***",
        "http://h/abcd/efgh/x, http://h/***/x",
        "http://h/?q=abcd%2Fefgh, http://h/?q=***",
        "xabcdx, x***x",
        "two+words and two words, *** and ***",
        "nothing, nothing",
    })
    void hidesASecretInEachForm(String text, String shown) {
        assertThat(secrets.redact(text)).isEqualTo(shown);
    }

    @Test
    void returnsNullForNull() {
        assertThat(secrets.redact(null)).isNull();
    }
}
