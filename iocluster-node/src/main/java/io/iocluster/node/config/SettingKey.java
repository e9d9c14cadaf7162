package io.iocluster.node.config;

import io.iocluster.settings.Setting;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** One key of a settings record, as reflection sees it. Immutable. */
record SettingKey(String name, Type type, Setting setting, RecordComponent component) {

    /** The keys of a section, in the order of its components. */
    static List<SettingKey> of(Class<?> section) {
        return Arrays.stream(section.getRecordComponents()).map(SettingKey::of).toList();
    }

    private static SettingKey of(RecordComponent component) {
        Setting setting = component.getAnnotation(Setting.class);
        if (setting == null) {
            throw new IllegalArgumentException("@Setting is missing on " + component);
        }
        return new SettingKey(kebabCase(component.getName()), component.getGenericType(), setting, component);
    }

    /** Whether the type is a settings record, and not a value such as a size. */
    static boolean isSection(Type type) {
        return type instanceof Class<?> raw
                && raw.isRecord()
                && Arrays.stream(raw.getRecordComponents()).anyMatch(part -> part.isAnnotationPresent(Setting.class));
    }

    boolean isSection() {
        return isSection(type);
    }

    boolean isCollection() {
        return type instanceof ParameterizedType;
    }

    /** What a collection holds: a list's elements, a map's values. */
    Type elementType() {
        Type[] arguments = ((ParameterizedType) type).getActualTypeArguments();
        return arguments[arguments.length - 1];
    }

    Class<?> section() {
        return (Class<?>) type;
    }

    /** Reads this key's value from a record of its section. */
    Object valueIn(Object section) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(section);
        } catch (IllegalAccessException | InvocationTargetException unexpected) {
            throw new IllegalStateException("cannot read " + component, unexpected);
        }
    }

    /** The path of a key below a parent's path, which is empty at the root. */
    static String join(String parent, String key) {
        return parent.isEmpty() ? key : parent + "." + key;
    }

    static String kebabCase(String camelCase) {
        return camelCase.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }
}
