package io.iocluster.message.usable;

import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import io.iocluster.settings.StatusPattern;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.JsonToken;

/**
 * Reads and writes the field {@code usable} of an envelope. Reads strictly, and stores no more values than a rule may have. Each reader
 * is used once.
 */
public final class UsableRuleJson {

    private static final String SCALAR = "must be a string, a number, true or false";
    private static final Set<String> FIELDS = Set.of("status", "json");
    private static final Set<String> JSON_FIELDS = Set.of("pointer", "equals", "exists", "in", "less", "greater");

    private final JsonParser parser;
    private InvalidSetting problem;
    private boolean unknownField;

    private final List<StatusPattern> status = new ArrayList<>();
    private JsonPointer pointer = JsonPointer.empty();
    private JsonScalar equals = JsonScalar.NONE;
    private Presence exists = Presence.ANY;
    private final List<JsonScalar> in = new ArrayList<>();
    private JsonScalar less = JsonScalar.NONE;
    private JsonScalar greater = JsonScalar.NONE;

    public UsableRuleJson(JsonParser parser) {
        this.parser = parser;
    }

    /** Writes a rule as an object. */
    public static void write(JsonGenerator out, UsableRule rule) {
        out.writeStartObject();
        if (!rule.status().isEmpty()) {
            out.writeName("status");
            out.writeStartArray();
            rule.status().forEach(each -> writeStatus(out, each));
            out.writeEndArray();
        }
        if (rule.json().isGiven()) {
            out.writeName("json");
            write(out, rule.json());
        }
        out.writeEndObject();
    }

    private static void writeStatus(JsonGenerator out, StatusPattern pattern) {
        if (pattern.first() == pattern.last()) {
            out.writeNumber(pattern.first());
        } else {
            out.writeString(pattern.toString());
        }
    }

    private static void write(JsonGenerator out, JsonCondition condition) {
        out.writeStartObject();
        out.writeStringProperty("pointer", condition.pointer().toString());
        write(out, "equals", condition.equals());
        if (condition.exists() != Presence.ANY) {
            out.writeName("exists");
            out.writeBoolean(condition.exists() == Presence.TRUE);
        }
        if (!condition.in().isEmpty()) {
            out.writeName("in");
            out.writeStartArray();
            condition.in().forEach(value -> write(out, value));
            out.writeEndArray();
        }
        write(out, "less", condition.less());
        write(out, "greater", condition.greater());
        out.writeEndObject();
    }

    private static void write(JsonGenerator out, String name, JsonScalar scalar) {
        if (scalar.isGiven()) {
            out.writeName(name);
            write(out, scalar);
        }
    }

    private static void write(JsonGenerator out, JsonScalar scalar) {
        if (scalar.value() instanceof BigDecimal number) {
            out.writeNumber(number.toString());
        } else if (scalar.value() instanceof Boolean flag) {
            out.writeBoolean(flag);
        } else {
            out.writeString(scalar.value().toString());
        }
    }

    /**
     * Reads the parser's current value, and moves the parser to its end.
     *
     * @return null if the value is not a rule; {@link #problem} then says why
     */
    public UsableRule read(JsonToken value) {
        readObject("", value, FIELDS, this::readField);
        if (problem != null) {
            return null;
        }
        try {
            UsableRule rule = new UsableRule(status, new JsonCondition(pointer, equals, exists, in, less, greater));
            if (rule.isGiven()) {
                return rule;
            }
            refuse("", "must have a status or a condition for json");
        } catch (InvalidSettingsException invalid) {
            InvalidSetting first = invalid.invalidSettings().get(0);
            problem = first.key().equals("status") ? first : first.withPrefix("json");
        }
        return null;
    }

    /** Returns the first problem; its key is relative to the rule and empty for the rule as a whole. Null if there is none. */
    public InvalidSetting problem() {
        return problem;
    }

    /** Returns whether the problem is a field that the contract does not know. */
    public boolean isUnknownField() {
        return unknownField;
    }

    private void readObject(String path, JsonToken value, Set<String> known, BiConsumer<String, JsonToken> field) {
        if (value != JsonToken.START_OBJECT) {
            skipInvalid(path, "must be an object");
            return;
        }
        Set<String> seen = new HashSet<>();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            JsonToken token = parser.nextToken();
            String key = path.isEmpty() ? name : path + "." + name;
            if (!known.contains(name)) {
                unknownField |= problem == null;
                skipInvalid(key, "is not a field of usable");
            } else if (!seen.add(name)) {
                skipInvalid(key, "is given twice");
            } else if (token != JsonToken.VALUE_NULL) {
                field.accept(name, token);
            }
        }
    }

    private void readField(String name, JsonToken value) {
        if (name.equals("status")) {
            readList(name, value, UsableRule.MAX_STATUSES, this::readStatus);
        } else {
            readObject(name, value, JSON_FIELDS, this::readCondition);
            if (problem == null && !JsonCondition.isGiven(equals, exists, in, less, greater)) {
                refuse(name, JsonCondition.NO_PREDICATE);
            }
        }
    }

    private void readCondition(String name, JsonToken value) {
        String path = "json." + name;
        switch (name) {
            case "pointer" -> readPointer(path, value);
            case "equals" -> equals = readScalar(path, value);
            case "exists" -> readExists(path, value);
            case "in" -> readList(path, value, JsonCondition.MAX_VALUES, (key, item) -> in.add(readScalar(key, item)));
            case "less" -> less = readScalar(path, value);
            case "greater" -> greater = readScalar(path, value);
            default -> throw new IllegalStateException("no reader for field " + name);
        }
    }

    /** Reads a list that must not be empty. Items beyond the limit are skipped. */
    private void readList(String path, JsonToken value, int max, BiConsumer<String, JsonToken> item) {
        if (value != JsonToken.START_ARRAY) {
            skipInvalid(path, "must be a list");
            return;
        }
        int count = 0;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (count++ < max && problem == null) {
                item.accept(path + "[" + (count - 1) + "]", token);
            } else {
                parser.skipChildren();
            }
        }
        if (count == 0 || count > max) {
            refuse(path, "must have 1 to " + max + " values: " + count);
        }
    }

    private void readStatus(String path, JsonToken value) {
        if (value != JsonToken.VALUE_NUMBER_INT && value != JsonToken.VALUE_STRING) {
            skipInvalid(path, "must be an HTTP status such as 200, or a class such as \"2xx\"");
            return;
        }
        try {
            status.add(StatusPattern.parse(parser.getString()));
        } catch (IllegalArgumentException invalid) {
            refuse(path, "is " + invalid.getMessage());
        }
    }

    private void readPointer(String path, JsonToken value) {
        if (value != JsonToken.VALUE_STRING) {
            skipInvalid(path, "must be a string");
            return;
        }
        try {
            pointer = JsonCondition.parsePointer(parser.getString());
        } catch (IllegalArgumentException invalid) {
            refuse(path, invalid.getMessage());
        }
    }

    private void readExists(String path, JsonToken value) {
        if (value == JsonToken.VALUE_TRUE || value == JsonToken.VALUE_FALSE) {
            exists = Presence.of(value == JsonToken.VALUE_TRUE);
        } else {
            skipInvalid(path, "must be true or false");
        }
    }

    private JsonScalar readScalar(String path, JsonToken value) {
        if (!value.isScalarValue() || value == JsonToken.VALUE_NULL) {
            skipInvalid(path, SCALAR);
            return JsonScalar.NONE;
        }
        if (parser.getStringLength() > JsonScalar.MAX_CHARS) {
            refuse(path, "must have at most " + JsonScalar.MAX_CHARS + " characters: " + parser.getStringLength());
            return JsonScalar.NONE;
        }
        JsonScalar scalar = JsonScalar.of(parser, value);
        if (!scalar.isGiven()) {
            refuse(path, "is a number out of range");
        }
        return scalar;
    }

    private void skipInvalid(String path, String text) {
        refuse(path, text);
        parser.skipChildren();
    }

    private void refuse(String path, String text) {
        if (problem == null) {
            problem = new InvalidSetting(path, text);
        }
    }
}
