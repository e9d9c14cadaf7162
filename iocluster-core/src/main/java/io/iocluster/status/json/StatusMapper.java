package io.iocluster.status.json;

import io.iocluster.settings.Rate;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BiConsumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.ser.std.StdSerializer;

/** Writes status records as JSON, as their {@link io.iocluster.status.StatusField} annotations say. Thread-safe. */
public final class StatusMapper {

    /** Added before the nanoseconds are cut off, so that a duration is rounded to the nearest millisecond. */
    private static final long HALF_A_MILLI = 500_000;

    private static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addSerializer(new RecordSerializer())
                    .addSerializer(StatusMapper.<Enum<?>>writes(
                            Enum.class, (json, value) -> json.writeString(RecordField.wireName(value))))
                    .addSerializer(StatusMapper.<Duration>writes(
                            Duration.class,
                            (json, value) -> json.writeNumber(
                                    value.plusNanos(HALF_A_MILLI).toMillis())))
                    .addSerializer(StatusMapper.writesText(Instant.class))
                    .addSerializer(StatusMapper.writesText(Path.class))
                    .addSerializer(StatusMapper.writesText(Rate.class)))
            .build();

    private StatusMapper() {}

    /** Returns the JSON of a status. */
    public static ObjectNode object(Record status) {
        return JSON.valueToTree(status);
    }

    /** Returns the JSON of a value, such as a list of status records; null is written as null. */
    public static JsonNode tree(Object value) {
        return JSON.valueToTree(value);
    }

    private static ValueSerializer<Object> writesText(Class<?> type) {
        return writes(type, (json, value) -> json.writeString(value.toString()));
    }

    private static <T> ValueSerializer<T> writes(Class<?> type, BiConsumer<JsonGenerator, T> write) {
        return new StdSerializer<>(type) {
            @Override
            public void serialize(T value, JsonGenerator json, SerializationContext context) {
                write.accept(json, value);
            }
        };
    }
}
