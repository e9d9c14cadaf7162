package io.iocluster.message.usable;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.util.List;
import tools.jackson.core.JsonPointer;

/** Conditions for a value in a JSON body. The value must fulfil all that are set. Immutable. */
public record JsonCondition(
        @Setting(
                value = "\"\"",
                doc = "JSON Pointer (RFC 6901) to a value in the body, such as `/match` or `/items/0/id`. Empty: the"
                        + " whole body.")
        JsonPointer pointer,

        @Setting(
                value = "\"\"",
                doc = "The value must be equal to this string, number, `true` or `false`. Write a string that looks"
                        + " like another type as `'\"42\"'`. Empty: any value.")
        JsonScalar equals,

        @Setting(
                value = "any",
                doc = "`true`: the value must exist and not be null. `false`: it must be missing or null. `any`:"
                        + " either.")
        Presence exists,

        @Setting(doc = "The value must be equal to one of these. Empty: any value.")
        List<JsonScalar> in,

        @Setting(value = "\"\"", doc = "The value must be a number below this one. Empty: any value.")
        JsonScalar less,

        @Setting(value = "\"\"", doc = "The value must be a number above this one. Empty: any value.")
        JsonScalar greater) {

    /** A condition that every body fulfils. */
    public static final JsonCondition NONE = new JsonCondition(
            JsonPointer.empty(), JsonScalar.NONE, Presence.ANY, List.of(), JsonScalar.NONE, JsonScalar.NONE);

    /** Maximum length of a pointer. */
    static final int MAX_POINTER_CHARS = 1_024;

    /** Maximum number of values in {@code in}. */
    static final int MAX_VALUES = 100;

    static final String NO_PREDICATE = "needs at least one of equals, exists, in, less, greater";

    public JsonCondition {
        in = List.copyOf(in);
        SettingsValidator validator = new SettingsValidator()
                .check(in.size() <= MAX_VALUES, "in", "must have at most " + MAX_VALUES + " values: " + in.size())
                .check(pointer.matches() || isGiven(equals, exists, in, less, greater), "pointer", NO_PREDICATE);
        checkLength(validator, "equals", equals);
        checkNumber(validator, "less", less);
        checkNumber(validator, "greater", greater);
        validator.checkEach("in", in, (key, value) -> {
            checkLength(validator, key, value);
            validator.check(value.isGiven(), key, "must not be empty");
        });
        validator.throwIfInvalid();
    }

    private static void checkNumber(SettingsValidator validator, String key, JsonScalar value) {
        checkLength(validator, key, value);
        validator.check(!value.isGiven() || value.isNumber(), key, "must be a number: " + value);
    }

    private static void checkLength(SettingsValidator validator, String key, JsonScalar value) {
        validator.check(
                value.length() <= JsonScalar.MAX_CHARS,
                key,
                "must have at most " + JsonScalar.MAX_CHARS + " characters: " + value.length());
    }

    /**
     * Parses a JSON Pointer strictly.
     *
     * @throws IllegalArgumentException if the text is not a JSON Pointer, or is too long; the message continues a sentence that starts
     *     with the key
     */
    public static JsonPointer parsePointer(String text) {
        if (text.length() > MAX_POINTER_CHARS) {
            throw new IllegalArgumentException(
                    "must have at most " + MAX_POINTER_CHARS + " characters: " + text.length());
        }
        if (!text.isEmpty() && text.charAt(0) != '/') {
            throw new IllegalArgumentException("must be a JSON Pointer, which is empty or starts with /: " + text);
        }
        for (int i = text.indexOf('~'); i >= 0; i = text.indexOf('~', i + 1)) {
            if (i + 1 == text.length() || (text.charAt(i + 1) != '0' && text.charAt(i + 1) != '1')) {
                throw new IllegalArgumentException("must be a JSON Pointer, which writes ~ as ~0 and / as ~1: " + text);
            }
        }
        return JsonPointer.compile(text);
    }

    static boolean isGiven(
            JsonScalar equals, Presence exists, List<JsonScalar> in, JsonScalar less, JsonScalar greater) {
        return equals.isGiven() || exists != Presence.ANY || !in.isEmpty() || less.isGiven() || greater.isGiven();
    }

    /** Returns whether a check has to read the body. */
    public boolean isGiven() {
        return isGiven(equals, exists, in, less, greater);
    }

    /** Returns whether a check compares the value, and not only whether it exists. */
    public boolean comparesValue() {
        return equals.isGiven() || !in.isEmpty() || less.isGiven() || greater.isGiven();
    }

    /**
     * Returns whether the value fulfils the condition.
     *
     * @param present whether the value exists and is not null
     * @param value the value; {@link JsonScalar#NONE} if it is missing or not a scalar
     */
    public boolean isFulfilled(boolean present, JsonScalar value) {
        return exists.allows(present)
                && (!equals.isGiven() || equals.isSame(value))
                && (in.isEmpty() || in.stream().anyMatch(each -> each.isSame(value)))
                && (!less.isGiven() || value.isLessThan(less))
                && (!greater.isGiven() || greater.isLessThan(value));
    }

    /** Returns the condition as readable text, such as {@code /match equals true}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(pointer.matches() ? "the body" : pointer.toString());
        append(text, "equals", equals);
        if (exists != Presence.ANY) {
            text.append(exists == Presence.TRUE ? " exists" : " does not exist");
        }
        if (!in.isEmpty()) {
            text.append(" in ").append(in);
        }
        append(text, "less than", less);
        append(text, "greater than", greater);
        return text.toString();
    }

    private static void append(StringBuilder text, String predicate, JsonScalar value) {
        if (value.isGiven()) {
            text.append(' ').append(predicate).append(' ').append(value);
        }
    }
}
