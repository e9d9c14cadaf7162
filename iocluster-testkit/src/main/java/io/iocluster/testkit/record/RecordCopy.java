package io.iocluster.testkit.record;

import io.iocluster.settings.Inlined;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Copies settings records in tests, so that a test names only the components that it changes. Stateless. */
public final class RecordCopy {

    private RecordCopy() {}

    /**
     * Returns a copy of a record in which some components have other values.
     *
     * @param changes names of components, also of {@linkplain Inlined inlined} ones, each followed by its value
     * @throws IllegalArgumentException if the record has no such component
     * @throws RuntimeException if the constructor of the record refuses the values: what it throws
     */
    public static <T extends Record> T with(T original, Object... changes) {
        Map<String, Object> values = new HashMap<>();
        for (int i = 0; i < changes.length; i += 2) {
            values.put((String) changes[i], changes[i + 1]);
        }
        try {
            T copy = copy(original, values);
            if (!values.isEmpty()) {
                throw new IllegalArgumentException(original.getClass() + " has no component " + values.keySet());
            }
            return copy;
        } catch (InvocationTargetException refused) {
            throw refused.getCause() instanceof RuntimeException invalid ? invalid : new IllegalStateException(refused);
        } catch (ReflectiveOperationException failed) {
            throw new IllegalArgumentException("cannot copy with " + Arrays.toString(changes), failed);
        }
    }

    /** Removes the changes that it applies. */
    private static <T> T copy(T original, Map<String, Object> changes) throws ReflectiveOperationException {
        RecordComponent[] components = original.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < values.length; i++) {
            RecordComponent component = components[i];
            types[i] = component.getType();
            if (changes.containsKey(component.getName())) {
                values[i] = changes.remove(component.getName());
            } else {
                component.getAccessor().setAccessible(true);
                Object value = component.getAccessor().invoke(original);
                values[i] = component.isAnnotationPresent(Inlined.class) ? copy(value, changes) : value;
            }
        }
        @SuppressWarnings("unchecked")
        Constructor<T> constructor = (Constructor<T>) original.getClass().getDeclaredConstructor(types);
        constructor.setAccessible(true);
        return constructor.newInstance(values);
    }
}
