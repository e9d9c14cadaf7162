package io.iocluster.node.config.binding;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/**
 * Renders the effective settings, including defaults, with every secret hidden. The YAML loads again, unless a hidden value must have a
 * certain format or differ from another one. Immutable.
 */
public final class EffectiveSettings {

    private static final String HIDDEN = "***";
    private static final Pattern INDEX = Pattern.compile("\\[(\\d+)]");
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
            .disable(YAMLWriteFeature.SPLIT_LINES)
            .enable(YAMLWriteFeature.MINIMIZE_QUOTES)
            .enable(YAMLWriteFeature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .enable(YAMLWriteFeature.INDENT_ARRAYS_WITH_INDICATOR)
            .build();

    private final Record root;
    private final HiddenValues hidden;

    public EffectiveSettings(LoadedSettings<?> loaded) {
        this.root = loaded.settings();
        this.hidden = new HiddenValues(root.getClass(), loaded.hiddenPaths());
    }

    /** Returns the settings as YAML, with the keys of the file. */
    public String yaml() {
        return yaml(tree());
    }

    private static String yaml(ObjectNode tree) {
        return YAML.writeValueAsString(tree).replace("'" + HIDDEN + "'", '"' + HIDDEN + '"');
    }

    /** Returns the settings that differ from their defaults as YAML, with the keys of the file; empty if none differs. */
    public String changedYaml() {
        ObjectNode changed = changed(root, "", new SettingDefaults(), null);
        return changed.isEmpty() ? "" : yaml(changed);
    }

    /** Returns the settings as a tree, with the keys of the file. */
    public ObjectNode tree() {
        return section(root, "");
    }

    /** Returns the values of these keys; a key without a value, such as a removed entry, is null. */
    public ObjectNode values(Collection<String> keys) {
        ObjectNode values = JsonNodeFactory.instance.objectNode();
        ObjectNode tree = tree();
        keys.forEach(key -> values.set(key, find(tree, key)));
        return values;
    }

    /** Finds the value by its path. A name in a map may contain dots. */
    private static JsonNode find(JsonNode node, String path) {
        if (path.isEmpty()) {
            return node;
        }
        Matcher index = INDEX.matcher(path);
        if (node.isArray() && index.lookingAt()) {
            JsonNode element = node.path(Integer.parseInt(index.group(1)));
            return element.isMissingNode() ? NullNode.getInstance() : find(element, path.substring(index.end()));
        }
        String name = path.startsWith(".") ? path.substring(1) : path;
        for (String field : node.propertyNames()) {
            if (name.startsWith(field)) {
                String rest = name.substring(field.length());
                if (rest.isEmpty() || rest.startsWith(".") || rest.startsWith("[")) {
                    JsonNode found = find(node.get(field), rest);
                    if (!found.isNull()) {
                        return found;
                    }
                }
            }
        }
        return NullNode.getInstance();
    }

    /** Returns the text of each value that is hidden and not empty. Not for output: it serves to find these values in other text. */
    public Set<String> secrets() {
        Set<String> secrets = new HashSet<>();
        collectSecrets(root, "", secrets);
        return secrets;
    }

    private void collectSecrets(Object value, String path, Set<String> secrets) {
        if (SettingKey.isSection(value.getClass())) {
            for (SettingKey key : SettingKey.of(value.getClass())) {
                collectSecrets(key.valueIn(value), SettingKey.join(path, key.name()), secrets);
            }
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((name, entry) -> collectSecrets(entry, SettingKey.join(path, name.toString()), secrets));
        } else if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                collectSecrets(list.get(i), path + "[" + i + "]", secrets);
            }
        } else if (hidden.isHidden(path) && !value.toString().isEmpty()) {
            secrets.add(ScalarFormat.format(value));
        }
    }

    private ObjectNode section(Object section, String parent) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        for (SettingKey key : SettingKey.of(section.getClass())) {
            object.set(key.name(), node(key.valueIn(section), SettingKey.join(parent, key.name())));
        }
        return object;
    }

    private ObjectNode changed(Object section, String parent, SettingDefaults defaults, InheritedValue from) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        Record sectionDefaults = defaults.of(section.getClass(), from);
        for (SettingKey key : SettingKey.of(section.getClass())) {
            Object value = key.valueIn(section);
            String path = SettingKey.join(parent, key.name());
            InheritedValue inherited = defaults.inherited(key, from);
            if (key.isSection()) {
                ObjectNode inner = changed(value, path, defaults, inherited);
                if (!inner.isEmpty()) {
                    object.set(key.name(), inner);
                }
            } else if (!value.equals(defaults.of(key, sectionDefaults, from))) {
                object.set(key.name(), changedValue(key, value, path, defaults, inherited));
            }
            if (parent.isEmpty()) {
                defaults.addSection(key.name(), value);
            }
        }
        return object;
    }

    /** Shows only the changed keys of each entry, because an entry has more than twenty. */
    private JsonNode changedValue(
            SettingKey key, Object value, String path, SettingDefaults defaults, InheritedValue inherited) {
        if (hidden.isHidden(path)) {
            return node(value, path);
        }
        if (key.isListOfSections()) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            List<?> list = (List<?>) value;
            for (int i = 0; i < list.size(); i++) {
                array.add(changed(list.get(i), path + "[" + i + "]", defaults, inherited));
            }
            return array;
        }
        if (key.isMapOfSections()) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            ((Map<?, ?>) value)
                    .forEach((name, entry) -> object.set(
                            name.toString(), changed(entry, SettingKey.join(path, name.toString()), defaults, null)));
            return object;
        }
        return node(value, path);
    }

    /** Shows an empty map or list as empty. A hidden one that is not empty has one hidden entry, so that the text loads again. */
    private JsonNode node(Object value, String path) {
        if (SettingKey.isSection(value.getClass())) {
            return section(value, path);
        }
        if (value instanceof Map<?, ?> map) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            if (hidden.isHidden(path)) {
                return map.isEmpty() ? object : object.put(HIDDEN, HIDDEN);
            }
            map.forEach((key, entry) -> object.set(key.toString(), node(entry, SettingKey.join(path, key.toString()))));
            return object;
        }
        if (value instanceof List<?> list) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            if (hidden.isHidden(path)) {
                return list.isEmpty() ? array : array.add(HIDDEN);
            }
            for (int i = 0; i < list.size(); i++) {
                array.add(node(list.get(i), path + "[" + i + "]"));
            }
            return array;
        }
        return scalar(value, path);
    }

    /** Shows an empty secret as empty, because it is useful to see that a secret is not set. */
    private JsonNode scalar(Object value, String path) {
        if (hidden.isHidden(path)) {
            boolean empty = value.toString().isEmpty();
            return JsonNodeFactory.instance.stringNode(empty ? "" : HIDDEN);
        }
        if (value instanceof Integer || value instanceof Long) {
            return JsonNodeFactory.instance.numberNode(((Number) value).longValue());
        }
        if (value instanceof Double number) {
            return JsonNodeFactory.instance.numberNode(number.doubleValue());
        }
        return value instanceof Boolean flag
                ? JsonNodeFactory.instance.booleanNode(flag)
                : JsonNodeFactory.instance.stringNode(ScalarFormat.format(value));
    }
}
