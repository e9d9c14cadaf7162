package io.iocluster.message.usable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsableRuleTest {

    @ParameterizedTest
    @CsvSource({"200, true", "204, true", "299, true", "199, false", "300, false", "500, false"})
    void acceptsEvery2xxUnlessItNamesStatuses(int status, boolean accepted) {
        UsableRule rule = UsableRule.builder().json("/match").equalTo(true).build();

        assertThat(rule.acceptsStatus(status)).isEqualTo(accepted);
    }

    @Test
    void acceptsOnlyTheStatusesThatItNames() {
        UsableRule rule = UsableRule.builder().status(200, 404).build();

        assertThat(rule.acceptsStatus(200)).isTrue();
        assertThat(rule.acceptsStatus(404)).isTrue();
        assertThat(rule.acceptsStatus(204)).isFalse();
    }

    @Test
    void describesItselfForPeople() {
        assertThat(UsableRule.builder()
                        .status(200, 201)
                        .json("/state")
                        .in("done", "42")
                        .exists(true)
                        .build())
                .hasToString("status [200, 201], /state exists in [done, \"42\"]");
        assertThat(UsableRule.builder().json("").less(3).greater(1).build())
                .hasToString("status [2xx], the body less than 3.0 greater than 1.0");
    }

    @Test
    void isRefusedIfItSaysNothing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UsableRule.builder().build());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UsableRule.builder().json("/a").build())
                .withMessageContaining("pointer needs at least one of equals, exists, in, less, greater");
    }

    @ParameterizedTest
    @ValueSource(strings = {"match", "/a~", "/a~2", "#/a", " /a"})
    void isRefusedIfItsPointerIsNotValid(String pointer) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UsableRule.builder().json(pointer))
                .withMessageStartingWith("must be a JSON Pointer");
    }

    @Test
    void isRefusedIfItBreaksALimit() {
        UsableRuleBuilder many = UsableRule.builder();
        for (int i = 0; i < 33; i++) {
            many.status(200 + i);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(many::build)
                .withMessageContaining("status must have at most 32 values: 33");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UsableRule.builder().json("/" + "a".repeat(1_024)))
                .withMessageContaining("must have at most 1024 characters: 1025");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        UsableRule.builder().json("/a").equalTo("x".repeat(257)).build())
                .withMessageContaining("equals must have at most 256 characters: 257");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UsableRule.builder()
                        .json("/a")
                        .in(Collections.nCopies(101, "x").toArray(String[]::new))
                        .build())
                .withMessageContaining("in must have at most 100 values: 101");
    }

    @Test
    void countsItsValuesForTheMemoryOfItsMessage() {
        UsableRule rule = UsableRule.builder()
                .json("/a")
                .in(Collections.nCopies(100, "x".repeat(256)).toArray(String[]::new))
                .build();

        assertThat(rule.heapBytes()).isBetween(2L * 100 * 256, 200_000L);
    }

    @Test
    void countsEachSegmentOfItsPointerForTheMemoryOfItsMessage() {
        UsableRule rule =
                UsableRule.builder().json("/a".repeat(512)).exists(true).build();

        // A segment is an object of 40 bytes and a string of 48.
        assertThat(rule.heapBytes()).isGreaterThan(512L * 88);
    }
}
