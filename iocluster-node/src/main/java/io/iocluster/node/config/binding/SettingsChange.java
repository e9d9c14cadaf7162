package io.iocluster.node.config.binding;

import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.Setting;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The difference between the settings of a running node and newly loaded ones. {@link Setting#live()} decides which
 * keys a running node applies. Immutable. Names keys, never values.
 *
 * @param settings the running settings with the new values of the live keys
 * @param appliedKeys the changed keys that a running node applies
 * @param restartKeys the changed keys that take effect at the next start
 */
public record SettingsChange<T extends Record>(T settings, List<String> appliedKeys, List<String> restartKeys) {

    public SettingsChange {
        appliedKeys = List.copyOf(appliedKeys);
        restartKeys = List.copyOf(restartKeys);
    }

    /**
     * Returns the difference.
     *
     * @throws InvalidSettingsException if the new values of the live keys do not fit the running values of the others
     */
    public static <T extends Record> SettingsChange<T> between(T running, T wanted) {
        List<String> live = new ArrayList<>();
        List<String> restart = new ArrayList<>();
        T settings = merged(running, wanted, "", live, restart);
        return new SettingsChange<>(settings, live, restart);
    }

    private static <T> T merged(T running, T wanted, String path, List<String> live, List<String> restart) {
        RecordComponent[] components = running.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        Object[] current = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            RecordComponent component = components[i];
            Object before = SettingKey.read(component, running);
            Object after = SettingKey.read(component, wanted);
            current[i] = before;
            Setting setting = component.getAnnotation(Setting.class);
            if (setting == null) {
                values[i] = merged(before, after, path, live, restart);
                continue;
            }
            String key = SettingKey.join(path, SettingKey.kebabCase(component.getName()));
            if (setting.live()) {
                values[i] = after;
                compare(before, after, key, setting.secret(), live);
            } else if (SettingKey.isSection(component.getType())) {
                values[i] = merged(before, after, key, live, restart);
            } else {
                values[i] = before;
                compare(before, after, key, setting.secret(), restart);
            }
        }
        // The constructor of a section may check files that no longer exist, so an unchanged section is kept.
        return Arrays.equals(values, current) ? running : made(running, values);
    }

    @SuppressWarnings("unchecked")
    private static <T> T made(T like, Object[] values) {
        Class<?>[] types = Arrays.stream(like.getClass().getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            Constructor<?> constructor = like.getClass().getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return (T) constructor.newInstance(values);
        } catch (InvocationTargetException failed) {
            if (failed.getCause() instanceof InvalidSettingsException invalid) {
                throw invalid; // A live key may need one that takes effect at the next start.
            }
            throw new IllegalStateException("cannot create " + like.getClass(), failed);
        } catch (ReflectiveOperationException unexpected) {
            throw new IllegalStateException("cannot create " + like.getClass(), unexpected);
        }
    }

    /**
     * Adds the keys that differ. For a secret map, adds only the map's key, because the names of its entries are
     * hidden too.
     */
    private static void compare(Object before, Object after, String path, boolean secret, List<String> differing) {
        if (before.equals(after)) {
            return;
        }
        if (SettingKey.isSection(before.getClass())) {
            for (SettingKey key : SettingKey.of(before.getClass())) {
                compare(
                        key.valueIn(before),
                        key.valueIn(after),
                        SettingKey.join(path, key.name()),
                        key.setting().secret(),
                        differing);
            }
        } else if (before instanceof Map<?, ?> old && after instanceof Map<?, ?> next && !secret) {
            compareMaps(old, next, path, differing);
        } else if (before instanceof List<?> old && after instanceof List<?> next && areSections(old, next)) {
            for (int i = 0; i < old.size(); i++) {
                compare(old.get(i), next.get(i), path + "[" + i + "]", false, differing);
            }
        } else {
            differing.add(path);
        }
    }

    private static void compareMaps(Map<?, ?> old, Map<?, ?> next, String path, List<String> differing) {
        TreeSet<String> names = new TreeSet<>();
        old.keySet().forEach(name -> names.add(name.toString()));
        next.keySet().forEach(name -> names.add(name.toString()));
        for (String name : names) {
            String key = SettingKey.join(path, name);
            if (old.containsKey(name) && next.containsKey(name)) {
                compare(old.get(name), next.get(name), key, false, differing);
            } else {
                differing.add(key);
            }
        }
    }

    private static boolean areSections(List<?> old, List<?> next) {
        return old.size() == next.size()
                && !old.isEmpty()
                && SettingKey.isSection(old.get(0).getClass());
    }
}
