package io.iocluster.status.json;

import io.iocluster.status.StatusField;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A field of a status record. Immutable. */
record RecordField(String name, StatusField rule, Method accessor) {

    private static final ClassValue<List<RecordField>> FIELDS = new ClassValue<>() {
        @Override
        protected List<RecordField> computeValue(Class<?> type) {
            return read(type);
        }
    };

    /** Returns the fields of a record: its components, then its methods by name. */
    static List<RecordField> of(Class<?> type) {
        return FIELDS.get(type);
    }

    private static List<RecordField> read(Class<?> type) {
        List<Method> components = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getAccessor)
                .toList();
        // The JVM returns methods in any order.
        Stream<Method> others = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> !components.contains(method))
                .sorted(Comparator.comparing(Method::getName));
        return Stream.concat(components.stream(), others)
                .filter(method -> method.isAnnotationPresent(StatusField.class))
                .map(RecordField::of)
                .toList();
    }

    private static RecordField of(Method accessor) {
        accessor.setAccessible(true);
        StatusField rule = accessor.getAnnotation(StatusField.class);
        return new RecordField(rule.name().isEmpty() ? accessor.getName() : rule.name(), rule, accessor);
    }

    /** Returns the name of an enum's constant in JSON. */
    static String wireName(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Type type() {
        return accessor.getGenericReturnType();
    }

    /** Returns the value of the field in this record; fractions are rounded. */
    Object value(Record owner) {
        try {
            Object value = accessor.invoke(owner);
            if (rule.decimals() < 0 || value == null) {
                return value;
            }
            double scale = Math.pow(10, rule.decimals());
            return Math.round((double) value * scale) / scale;
        } catch (ReflectiveOperationException broken) {
            throw new IllegalStateException(accessor + " failed", broken);
        }
    }
}
