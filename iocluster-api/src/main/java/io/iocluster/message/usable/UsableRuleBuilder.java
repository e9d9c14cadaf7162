package io.iocluster.message.usable;

import io.iocluster.settings.StatusPattern;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.core.JsonPointer;

/** Builds a {@link UsableRule}. All conditions that are set must hold. Confined to one thread. */
public final class UsableRuleBuilder {

    private final List<StatusPattern> status = new ArrayList<>();
    private JsonPointer pointer = JsonPointer.empty();
    private JsonScalar equals = JsonScalar.NONE;
    private Presence exists = Presence.ANY;
    private List<JsonScalar> in = List.of();
    private JsonScalar less = JsonScalar.NONE;
    private JsonScalar greater = JsonScalar.NONE;

    UsableRuleBuilder() {}

    /** Adds HTTP statuses of usable answers. The default is every 2xx. */
    public UsableRuleBuilder status(int... statuses) {
        Arrays.stream(statuses)
                .mapToObj(Integer::toString)
                .map(StatusPattern::parse)
                .forEach(status::add);
        return this;
    }

    /**
     * Selects the value of the JSON body that the following conditions apply to. The default is the whole body.
     *
     * @param jsonPointer a JSON Pointer (RFC 6901), such as {@code /match}
     */
    public UsableRuleBuilder json(String jsonPointer) {
        pointer = JsonCondition.parsePointer(jsonPointer);
        return this;
    }

    /** The value must be this string. */
    public UsableRuleBuilder equalTo(String value) {
        equals = new JsonScalar(value);
        return this;
    }

    /** The value must be this flag. */
    public UsableRuleBuilder equalTo(boolean value) {
        equals = new JsonScalar(value);
        return this;
    }

    /** The value must be this number. */
    public UsableRuleBuilder equalTo(double value) {
        equals = number(value);
        return this;
    }

    /** The value must exist and not be null, or be missing or null. */
    public UsableRuleBuilder exists(boolean value) {
        exists = Presence.of(value);
        return this;
    }

    /** The value must be one of these strings. */
    public UsableRuleBuilder in(String... values) {
        in = Stream.of(values).map(JsonScalar::new).toList();
        return this;
    }

    /** The value must be one of these numbers. */
    public UsableRuleBuilder in(double... values) {
        in = Arrays.stream(values).mapToObj(UsableRuleBuilder::number).toList();
        return this;
    }

    /** The value must be a number below this one. */
    public UsableRuleBuilder less(double value) {
        less = number(value);
        return this;
    }

    /** The value must be a number above this one. */
    public UsableRuleBuilder greater(double value) {
        greater = number(value);
        return this;
    }

    private static JsonScalar number(double value) {
        return new JsonScalar(BigDecimal.valueOf(value));
    }

    /**
     * Returns the rule.
     *
     * @throws IllegalArgumentException if the rule has neither a status nor a condition, or exceeds a limit of the contract
     */
    public UsableRule build() {
        UsableRule rule = new UsableRule(status, new JsonCondition(pointer, equals, exists, in, less, greater));
        if (!rule.isGiven()) {
            throw new IllegalArgumentException("usable must have a status or a condition for json");
        }
        return rule;
    }
}
