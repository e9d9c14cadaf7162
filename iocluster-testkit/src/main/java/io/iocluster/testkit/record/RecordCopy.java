package io.iocluster.testkit.record;

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
     * @param changes names of components, each followed by its value
     * @throws IllegalArgumentException if the record has no such component
     * @throws RuntimeException if the constructor of the record refuses the values: what it throws
     */
    public static <T extends Record> T with(T original, Object... changes) {
        Map<String, Object> values = new HashMap<>();
        for (int i = 0; i < changes.length; i += 2) {
            values.put((String) changes[i], changes[i + 1]);
        }
        RecordComponent[] components = original.getClass().getRecordComponents();
        Object[] all = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        try {
            for (int i = 0; i < all.length; i++) {
                String name = components[i].getName();
                types[i] = components[i].getType();
                all[i] = values.containsKey(name)
                        ? values.remove(name)
                        : components[i].getAccessor().invoke(original);
            }
            if (!values.isEmpty()) {
                throw new IllegalArgumentException(original.getClass() + " has no component " + values.keySet());
            }
            @SuppressWarnings("unchecked")
            Constructor<T> constructor = (Constructor<T>) original.getClass().getDeclaredConstructor(types);
            return constructor.newInstance(all);
        } catch (InvocationTargetException refused) {
            throw refused.getCause() instanceof RuntimeException invalid ? invalid : new IllegalStateException(refused);
        } catch (ReflectiveOperationException failed) {
            throw new IllegalArgumentException("cannot copy with " + Arrays.toString(changes), failed);
        }
    }
}
