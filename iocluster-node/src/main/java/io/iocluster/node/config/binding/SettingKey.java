package io.iocluster.node.config.binding;

import io.iocluster.settings.Inlined;
import io.iocluster.settings.Setting;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One key of a settings record, found by reflection. Immutable.
 *
 * @param holders the {@link Inlined} components that contain the key's component, the outermost first
 */
record SettingKey(String name, Type type, Setting setting, RecordComponent component, List<RecordComponent> holders) {

    /** Returns the keys of a section, in the order of its components. */
    static List<SettingKey> of(Class<?> section) {
        return keys(section, List.of()).toList();
    }

    private static Stream<SettingKey> keys(Class<?> section, List<RecordComponent> holders) {
        return Arrays.stream(section.getRecordComponents())
                .flatMap(component -> isInlined(component)
                        ? keys(component.getType(), append(holders, component))
                        : Stream.of(of(component, holders)));
    }

    private static List<RecordComponent> append(List<RecordComponent> holders, RecordComponent last) {
        return Stream.concat(holders.stream(), Stream.of(last)).toList();
    }

    static boolean isInlined(RecordComponent component) {
        return component.isAnnotationPresent(Inlined.class);
    }

    private static SettingKey of(RecordComponent component, List<RecordComponent> holders) {
        Setting setting = component.getAnnotation(Setting.class);
        if (setting == null) {
            throw new IllegalArgumentException("missing @Setting on " + component);
        }
        return new SettingKey(kebabCase(component.getName()), component.getGenericType(), setting, component, holders);
    }

    /** Returns whether the type is a settings record and not a value record such as {@code DataSize}. */
    static boolean isSection(Type type) {
        return type instanceof Class<?> raw
                && raw.isRecord()
                && Arrays.stream(raw.getRecordComponents()).anyMatch(part -> part.isAnnotationPresent(Setting.class));
    }

    boolean isSection() {
        return isSection(type);
    }

    /** Returns whether the key is a list of settings records. */
    boolean isListOfSections() {
        return isCollection() && ((ParameterizedType) type).getRawType() == List.class && isSection(elementType());
    }

    /** Returns whether the key is a map from names to settings records. */
    boolean isMapOfSections() {
        return isCollection() && ((ParameterizedType) type).getRawType() == Map.class && isSection(elementType());
    }

    boolean isCollection() {
        return type instanceof ParameterizedType;
    }

    /** Returns the type of a list's elements or of a map's values. */
    Type elementType() {
        Type[] arguments = ((ParameterizedType) type).getActualTypeArguments();
        return arguments[arguments.length - 1];
    }

    Class<?> section() {
        return (Class<?>) type;
    }

    /** Returns this key's value in a record of its section. */
    Object valueIn(Object section) {
        Object part = section;
        for (RecordComponent holder : holders) {
            part = read(holder, part);
        }
        return read(component, part);
    }

    static Object read(RecordComponent component, Object section) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(section);
        } catch (IllegalAccessException | InvocationTargetException unexpected) {
            throw new IllegalStateException("cannot read " + component, unexpected);
        }
    }

    /** Returns the path of a key below a parent's path, which is empty at the root. */
    static String join(String parent, String key) {
        return parent.isEmpty() ? key : parent + "." + key;
    }

    /** Returns whether a path equals {@code outer} or is below it: a list entry or a map key. */
    static boolean isWithin(String outer, String path) {
        return path.equals(outer) || path.startsWith(outer + ".") || path.startsWith(outer + "[");
    }

    static String kebabCase(String camelCase) {
        return camelCase.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }
}
