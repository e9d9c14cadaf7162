package io.iocluster.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SettingsDigestTest {

    private record Inner(
            @Setting(secret = true, doc = "Hidden.") String secret,
            @Setting(doc = "Shown.") Duration time) {

        @Override
        public String toString() {
            return "hidden";
        }
    }

    private record Outer(List<Inner> list, Map<String, Inner> map, Set<Integer> set, String text) {}

    private static Outer outer(String secret) {
        Inner inner = new Inner(secret, Duration.ofSeconds(1));
        return new Outer(List.of(inner), Map.of("a", inner, "b", new Inner("x", null)), Set.of(1, 2, 3), "text");
    }

    @Test
    void equalSettingsHaveTheSameHash() {
        assertThat(SettingsDigest.withSecrets(outer("s")))
                .hasSize(32)
                .isEqualTo(SettingsDigest.withSecrets(outer("s")));
    }

    @Test
    void anotherValueThatTheTextHidesHasAnotherHash() {
        assertThat(SettingsDigest.withSecrets(outer("s"))).isNotEqualTo(SettingsDigest.withSecrets(outer("t")));
    }

    @Test
    void theHashWithoutSecretsDependsOnAllButThem() {
        assertThat(SettingsDigest.withoutSecrets(outer("s"))).isEqualTo(SettingsDigest.withoutSecrets(outer("t")));
        assertThat(SettingsDigest.withoutSecrets(new Inner("s", Duration.ofSeconds(1))))
                .isNotEqualTo(SettingsDigest.withoutSecrets(new Inner("s", Duration.ofSeconds(2))));
    }

    @Test
    void theOrderOfAMapDoesNotMatterAndThatOfAListDoes() {
        Map<String, Integer> one = new LinkedHashMap<>();
        one.put("a", 1);
        one.put("b", 2);
        Map<String, Integer> other = new LinkedHashMap<>();
        other.put("b", 2);
        other.put("a", 1);

        assertThat(SettingsDigest.withSecrets(one)).isEqualTo(SettingsDigest.withSecrets(other));
        assertThat(SettingsDigest.withSecrets(List.of(1, 2))).isNotEqualTo(SettingsDigest.withSecrets(List.of(2, 1)));
    }

    @Test
    void partsCannotImitateEachOther() {
        assertThat(SettingsDigest.withSecrets(List.of("ab", "c")))
                .isNotEqualTo(SettingsDigest.withSecrets(List.of("a", "bc")));
        assertThat(SettingsDigest.withSecrets(List.of(List.of("a"), "b")))
                .isNotEqualTo(SettingsDigest.withSecrets(List.of(List.of("a", "b"))));
        assertThat(SettingsDigest.withSecrets("1")).isNotEqualTo(SettingsDigest.withSecrets(1));
    }

    @Test
    void refusesAValueWhoseTextDiffersInEachProcess() {
        assertThatThrownBy(() -> SettingsDigest.withSecrets(List.of(new Object())))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
