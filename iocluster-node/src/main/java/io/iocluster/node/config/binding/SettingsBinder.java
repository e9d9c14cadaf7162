package io.iocluster.node.config.binding;

import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Binds a tree of text to settings records and collects all errors instead of stopping at the first. Confined to one
 * load.
 */
final class SettingsBinder {

    private static final Object INVALID = new Object();
    private static final Pattern ENTRY = Pattern.compile("(?<list>[^.\\[]+)\\[(?<index>\\d+)](?<rest>.*)");

    private final List<InvalidSetting> errors;
    private final SettingInheritance inheritance;

    /**
     * The valid entries of a list with invalid ones, so that they are still validated, and their indexes in the list.
     */
    private record ValidEntries(List<Object> entries, List<Integer> indexes) {}

    SettingsBinder(List<InvalidSetting> errors) {
        this(errors, new SettingInheritance());
    }

    SettingsBinder(List<InvalidSetting> errors, SettingInheritance inheritance) {
        this.errors = errors;
        this.inheritance = inheritance;
    }

    /**
     * Binds a record and the records below it.
     *
     * @param tree an object; null means an empty one
     * @return null only if an error was added
     */
    <T> T bind(Class<T> section, JsonNode tree, String path) {
        return bind(section, tree, path, null);
    }

    /** Adds the paths of values that were inherited from the given paths. */
    void addInheriting(Set<String> paths) {
        inheritance.addInheriting(paths);
    }

    /** Returns the value that a key has if it is not set; null if it must be set. */
    Object defaultOf(SettingKey key, InheritedValue from) {
        Object value = value(key, null, key.name(), from);
        return value == INVALID ? null : value;
    }

    <T> T bind(Class<T> section, JsonNode tree, String path, InheritedValue from) {
        if (tree != null && !tree.isNull() && !(tree instanceof ObjectNode)) {
            add(path, "must be a map of keys, not " + kind(tree));
            return null;
        }
        ObjectNode object = tree instanceof ObjectNode given ? given : JsonNodeFactory.instance.objectNode();
        List<SettingKey> keys = SettingKey.of(section);
        rejectUnknown(object, keys, path);
        Object[] values = new Object[keys.size()];
        Map<String, List<Integer>> wrong = new HashMap<>();
        for (int i = 0; i < values.length; i++) {
            SettingKey key = keys.get(i);
            String keyPath = SettingKey.join(path, key.name());
            values[i] = value(key, object.get(key.name()), keyPath, from);
            if (values[i] instanceof ValidEntries rest) {
                wrong.put(key.name(), rest.indexes());
                values[i] = rest.entries();
            } else if (values[i] == INVALID) {
                wrong.put(key.name(), List.of());
                // Use the default so that the other keys are still validated.
                values[i] = new SettingsBinder(new ArrayList<>(), inheritance).value(key, null, keyPath, from);
                if (values[i] == INVALID) {
                    return null;
                }
            } else if (path.isEmpty()) {
                inheritance.addSection(key.name(), values[i]);
            }
        }
        return make(section, Arrays.asList(values).iterator(), path, wrong, from);
    }

    private void rejectUnknown(ObjectNode object, List<SettingKey> keys, String path) {
        List<String> known = keys.stream().map(SettingKey::name).toList();
        for (String name : object.propertyNames()) {
            if (!known.contains(name)) {
                add(SettingKey.join(path, name), "is not a known key" + NearestName.hint(name, known));
            }
        }
    }

    private Object value(SettingKey key, JsonNode node, String path, InheritedValue from) {
        InheritedValue inherited = inheritance.find(key, from);
        if (key.isSection() || (node != null && !node.isNull())) {
            return value(key.type(), node, path, inherited);
        }
        if (inherited != null && !key.isListOfSections()) {
            inheritance.recordInherited(path, inherited);
            return inherited.value();
        }
        String text = key.setting().value();
        if (!text.isEmpty()) {
            return value(key.type(), YamlText.parse(text), path, null);
        }
        if (!key.setting().inherits().isEmpty() && !key.isCollection()) {
            return INVALID; // The inherited value is invalid and was reported at its own path.
        }
        if (key.isCollection()) {
            return empty((ParameterizedType) key.type());
        }
        add(path, "is missing");
        return INVALID;
    }

    private Object value(Type type, JsonNode node, String path, InheritedValue inherited) {
        if (type instanceof ParameterizedType generic) {
            return generic.getRawType() == Map.class
                    ? map(generic.getActualTypeArguments()[1], node, path)
                    : list(generic.getActualTypeArguments()[0], node, path, inherited);
        }
        if (SettingKey.isSection(type)) {
            Object section = bind((Class<?>) type, node, path, inherited);
            return section == null ? INVALID : section;
        }
        if (!node.isString()) {
            add(path, "must be a single value, not " + kind(node));
            return INVALID;
        }
        try {
            return ScalarFormat.parse((Class<?>) type, node.asString());
        } catch (IllegalArgumentException wrong) {
            add(path, wrong.getMessage());
            return INVALID;
        }
    }

    private Object list(Type element, JsonNode node, String path, InheritedValue inherited) {
        JsonNode given = node.isString() ? listIn(node.asString()) : node;
        if (!(given instanceof ArrayNode array)) {
            add(path, "must be a list, not " + kind(given));
            return INVALID;
        }
        List<Object> values = new ArrayList<>();
        List<Integer> indexes = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            Object value = value(element, array.get(i), path + "[" + i + "]", inherited);
            if (value != INVALID) {
                values.add(value);
                indexes.add(i);
            }
        }
        if (values.size() == array.size()) {
            return Collections.unmodifiableList(values);
        }
        return values.isEmpty() ? INVALID : new ValidEntries(values, indexes);
    }

    private Object map(Type element, JsonNode node, String path) {
        JsonNode given = node.isString() ? flow(node.asString()) : node;
        if (!(given instanceof ObjectNode object)) {
            add(path, "must be a map, not " + kind(given));
            return INVALID;
        }
        Map<String, Object> values = new LinkedHashMap<>();
        object.forEachEntry((key, value) -> values.put(key, value(element, value, SettingKey.join(path, key), null)));
        return values.containsValue(INVALID) ? INVALID : Collections.unmodifiableMap(values);
    }

    /** Parses a list in one text: in YAML's flow style, or separated by commas. */
    private static JsonNode listIn(String text) {
        if (text.trim().startsWith("[")) {
            return flow(text);
        }
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        Arrays.stream(text.split(","))
                .map(String::trim)
                .filter(part -> !part.isEmpty())
                .forEach(array::add);
        return array;
    }

    private static JsonNode flow(String text) {
        try {
            return YamlText.parse(text);
        } catch (InvalidSettingsException broken) {
            return JsonNodeFactory.instance.stringNode(text);
        }
    }

    private static Object empty(ParameterizedType generic) {
        return generic.getRawType() == Map.class ? Map.of() : List.of();
    }

    private <T> T make(
            Class<T> section,
            Iterator<Object> values,
            String path,
            Map<String, List<Integer>> wrong,
            InheritedValue from) {
        RecordComponent[] components = section.getRecordComponents();
        Object[] arguments = new Object[components.length];
        boolean valid = true;
        for (int i = 0; i < arguments.length; i++) {
            if (!SettingKey.isInlined(components[i])) {
                arguments[i] = values.next();
                continue;
            }
            Class<?> inlined = components[i].getType();
            arguments[i] = make(inlined, values, path, wrong, from);
            if (arguments[i] == null) {
                valid = false;
                // Use the defaults so that the other keys are still validated.
                arguments[i] = new SettingsBinder(new ArrayList<>(), inheritance).bind(inlined, null, path, from);
            }
        }
        if (Arrays.asList(arguments).contains(null)) {
            return null;
        }
        T made = construct(section, arguments, path, wrong);
        return valid ? made : null;
    }

    private <T> T construct(Class<T> section, Object[] arguments, String path, Map<String, List<Integer>> wrong) {
        try {
            Class<?>[] types = Arrays.stream(section.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            Constructor<T> constructor = section.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException refused) {
            explain(refused.getCause(), path, wrong);
            return null;
        } catch (ReflectiveOperationException unexpected) {
            throw new IllegalStateException("cannot create " + section, unexpected);
        }
    }

    private void explain(Throwable refusal, String path, Map<String, List<Integer>> wrong) {
        if (refusal instanceof InvalidSettingsException invalid) {
            invalid.invalidSettings().stream()
                    .flatMap(error -> withFileIndex(error, wrong).stream())
                    .map(error -> path.isEmpty() ? error : error.withPrefix(path))
                    .forEach(errors::add);
        } else if (refusal instanceof IllegalArgumentException illegal) {
            add(path, String.valueOf(illegal.getMessage()));
        } else {
            throw new IllegalStateException("cannot create the settings at " + path, refusal);
        }
    }

    /**
     * Returns the error with the entry's index in the file; empty if it concerns a default used for an invalid value.
     */
    private static Optional<InvalidSetting> withFileIndex(InvalidSetting error, Map<String, List<Integer>> wrong) {
        Matcher entry = ENTRY.matcher(error.key());
        String key = entry.matches() ? entry.group("list") : error.key();
        List<Integer> indexes = wrong.get(key);
        if (indexes == null) {
            return Optional.of(error);
        }
        if (!entry.matches() || indexes.isEmpty()) {
            return Optional.empty();
        }
        int index = indexes.get(Integer.parseInt(entry.group("index")));
        return Optional.of(new InvalidSetting(key + "[" + index + "]" + entry.group("rest"), error.problem()));
    }

    private void add(String path, String problem) {
        errors.add(new InvalidSetting(path, problem));
    }

    private static String kind(JsonNode node) {
        if (node.isNull()) {
            return "nothing";
        }
        return node.isObject() ? "a map" : node.isArray() ? "a list" : "a single value";
    }
}
