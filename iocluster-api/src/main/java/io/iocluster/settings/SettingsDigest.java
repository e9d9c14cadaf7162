package io.iocluster.settings;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Computes the SHA-256 hash of settings. It is the same in every process that has the same settings. Confined to one thread.
 */
public final class SettingsDigest {

    private final boolean withSecrets;
    private final MessageDigest digest;

    private SettingsDigest(boolean withSecrets) {
        this.withSecrets = withSecrets;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JVM has SHA-256", impossible);
        }
    }

    /**
     * Returns the hash of settings records, and of lists, sets and maps of them, secrets included.
     *
     * @throws IllegalArgumentException if a value is of another type and has no text form
     */
    public static byte[] withSecrets(Object settings) {
        return sha256(settings, true);
    }

    /**
     * Returns the hash of the same settings without the secret ones, so that it reveals nothing about secrets.
     *
     * @throws IllegalArgumentException if a value is of another type and has no text form
     */
    public static byte[] withoutSecrets(Object settings) {
        return sha256(settings, false);
    }

    private static byte[] sha256(Object settings, boolean withSecrets) {
        SettingsDigest all = new SettingsDigest(withSecrets);
        all.add(settings);
        return all.digest.digest();
    }

    private void add(Object value) {
        if (value == null) {
            addText("null");
        } else if (value instanceof List<?> list) {
            addAll("list", list);
        } else if (value instanceof Set<?> set) {
            addAll("set", sorted(set));
        } else if (value instanceof Map<?, ?> map) {
            addAll("map", sorted(map.entrySet()));
        } else if (value instanceof Map.Entry<?, ?> entry) {
            add(entry.getKey());
            add(entry.getValue());
        } else if (value instanceof Record settings) {
            addRecord(settings);
        } else {
            addText(value.getClass().getName());
            addText(text(value));
        }
    }

    private List<Object> sorted(Set<?> unordered) {
        List<Object> sorted = new ArrayList<>(unordered);
        sorted.sort(Comparator.comparing(each -> ByteBuffer.wrap(sha256(each, withSecrets))));
        return sorted;
    }

    private void addAll(String kind, List<?> values) {
        addText(kind);
        addText(Integer.toString(values.size()));
        values.forEach(this::add);
    }

    private void addRecord(Record settings) {
        addText(settings.getClass().getName());
        for (RecordComponent component : settings.getClass().getRecordComponents()) {
            Setting setting = component.getAnnotation(Setting.class);
            if (withSecrets || setting == null || !setting.secret()) {
                addText(component.getName());
                add(read(settings, component.getAccessor()));
            }
        }
    }

    private static Object read(Record settings, Method accessor) {
        try {
            accessor.setAccessible(true);
            return accessor.invoke(settings);
        } catch (IllegalAccessException | InvocationTargetException impossible) {
            throw new IllegalStateException("component of a record cannot be read: " + accessor, impossible);
        }
    }

    private static String text(Object value) {
        String text = value.toString();
        if (text.equals(value.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(value)))) {
            throw new IllegalArgumentException("no text and no record: " + value.getClass());
        }
        return text;
    }

    private void addText(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length).array());
        digest.update(bytes);
    }
}
