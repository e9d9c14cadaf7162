package io.iocluster.status.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.settings.Rate;
import io.iocluster.status.StatusField;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatusMapperTest {

    private enum Colour {
        @StatusField(doc = "warm")
        DARK_RED,
        @StatusField
        BLUE
    }

    private record Inner(@StatusField String text) {}

    private record Sample(
            @StatusField(name = "ageMillis", doc = "its age")
            Duration age,

            @StatusField(decimals = 1, max = 1) double share,
            int internal,
            @StatusField Colour colour,
            @StatusField(nullable = true) Inner inner,
            @StatusField(inline = true) Inner inlined,
            @StatusField(inline = true) Map<Colour, Long> counts,
            @StatusField Map<String, Long> more,
            @StatusField Optional<Inner> leftOut,
            @StatusField(nullable = true) Optional<Instant> at,
            @StatusField List<Rate> rates) {

        @StatusField(values = {"a", "b"})
        String computed() {
            return "a";
        }
    }

    private static final Sample EMPTY = sample(null, Optional.empty(), Optional.empty());
    private static final Sample FULL =
            sample(new Inner("x"), Optional.of(new Inner("y")), Optional.of(Instant.parse("2026-01-02T03:04:05Z")));

    private static Sample sample(Inner inner, Optional<Inner> leftOut, Optional<Instant> at) {
        return new Sample(
                Duration.ofNanos(1_500_000),
                0.123,
                7,
                Colour.DARK_RED,
                inner,
                new Inner("in"),
                Map.of(Colour.BLUE, 2L, Colour.DARK_RED, 1L),
                Map.of("b", 2L, "a", 1L),
                leftOut,
                at,
                List.of(Rate.parse("5/s")));
    }

    @Test
    void writesTheAnnotatedFields() {
        assertThat(StatusMapper.object(FULL).toString()).isEqualTo("""
            {"ageMillis":2,"share":0.1,"colour":"dark-red","inner":{"text":"x"},"text":"in","dark-red":1,"blue":2,\
            "more":{"a":1,"b":2},"leftOut":{"text":"y"},"at":"2026-01-02T03:04:05Z","rates":["5/s"],"computed":"a"}""");
    }

    @Test
    void writesNullOnlyForNullableFields() {
        assertThat(StatusMapper.object(EMPTY).toString())
                .contains("\"inner\":null", "\"at\":null")
                .doesNotContain("leftOut", "internal");
        assertThat(StatusMapper.tree(null).isNull()).isTrue();
    }

    @Test
    void describesTheSameFieldsInTheSchema() {
        assertThat(new StatusSchema(Map.of(Inner.class, "Inner"))
                        .of(Sample.class)
                        .toString())
                .isEqualTo("""
                {"type":"object","required":["ageMillis","share","colour","inner","text","dark-red","blue","more","at",\
                "rates","computed"],"additionalProperties":false,"properties":{\
                "ageMillis":{"type":"integer","minimum":0,"description":"its age"},\
                "share":{"type":"number","minimum":0,"maximum":1},\
                "colour":{"type":"string","enum":["dark-red","blue"]},\
                "inner":{"oneOf":[{"type":"null"},{"$ref":"#/components/schemas/Inner"}]},\
                "text":{"type":"string"},\
                "dark-red":{"type":"integer","minimum":0,"description":"warm"},"blue":{"type":"integer","minimum":0},\
                "more":{"type":"object","additionalProperties":{"type":"integer","minimum":0}},\
                "leftOut":{"$ref":"#/components/schemas/Inner"},\
                "at":{"type":["string","null"],"format":"date-time"},\
                "rates":{"type":"array","items":{"type":"string"}},\
                "computed":{"type":"string","enum":["a","b"]}}}""");
    }
}
