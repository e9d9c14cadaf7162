package io.iocluster.message.usable;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonScalarTest {

    @Test
    void readsTheTypeFromTheTextOfASetting() {
        assertThat(JsonScalar.parse("true").value()).isEqualTo(true);
        assertThat(JsonScalar.parse("false").value()).isEqualTo(false);
        assertThat(JsonScalar.parse("-1.50").value()).isEqualTo(new BigDecimal("-1.50"));
        assertThat(JsonScalar.parse("done").value()).isEqualTo("done");
        assertThat(JsonScalar.parse("\"42\"").value()).isEqualTo("42");
        assertThat(JsonScalar.parse("\"\"").value()).isEqualTo("");
        assertThat(JsonScalar.parse("")).isEqualTo(JsonScalar.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"007", "null", "True", "1 2", "[1]", "{}", "+1", "1e99999999999", "\"open", " ", "tr\"ue"})
    void takesAllOtherTextAsAString(String text) {
        assertThat(JsonScalar.parse(text).value()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "42", "", "\"\"", "\"quoted\"", "a\"b", "\n", "plain", "ü\u0000", "-0.5", "null"})
    void writesAStringSoThatItIsReadAsTheSameString(String value) {
        JsonScalar scalar = new JsonScalar(value);

        assertThat(JsonScalar.parse(scalar.toString())).isEqualTo(scalar);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1.0, true",
        "1, 1e0, true",
        "100, 1e2, true",
        "0, -0.0, true",
        "1, 1.0000000000000000000000001, false",
        "1, true, false",
        "1, '\"1\"', false",
        "true, '\"true\"', false",
        "a, a, true",
        "a, A, false",
        "1e999999999, 1e999999998, false",
        "1e999999999, 10e999999998, true",
    })
    void comparesTypeAndValue(String one, String other, boolean same) {
        assertThat(JsonScalar.parse(one).isSame(JsonScalar.parse(other))).isEqualTo(same);
        assertThat(JsonScalar.parse(other).isSame(JsonScalar.parse(one))).isEqualTo(same);
    }

    @Test
    void equalsNothingIfItHasNoValue() {
        assertThat(JsonScalar.NONE.isSame(JsonScalar.NONE)).isFalse();
        assertThat(JsonScalar.NONE.isLessThan(JsonScalar.parse("1"))).isFalse();
    }
}
