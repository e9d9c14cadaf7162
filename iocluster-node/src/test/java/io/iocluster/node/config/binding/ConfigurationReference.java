package io.iocluster.node.config.binding;

import io.iocluster.hedge.HedgeDelay;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.usable.JsonScalar;
import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.Rate;
import io.iocluster.settings.StatusPattern;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JsonPointer;

/** Generates docs/configuration.md from the settings records. */
final class ConfigurationReference {

    private static final String INTRODUCTION = """
            # Configuration

            <!-- Generated from the settings records; `bin/test` fails if it is stale. Regenerate it with
                 mvn -pl iocluster-node -am test -Dtest=ConfigurationReferenceTest -Dsurefire.failIfNoSpecifiedTests=false -Dupdate-docs=true -->

            A node reads one YAML file. Every key has a default unless the table says that it is required. Unknown
            and repeated keys are errors. `bin/iocluster check --config FILE` reports every error with its path and
            prints the effective configuration, with secrets hidden.

            - `${NAME}` and `${NAME:default}` insert an environment variable. `${file:PATH}` inserts the content of a
              file without its last line break; a relative path is relative to the folder of the configuration file.
              `$${` stands for `${`. A value that comes from a file is never shown. Inside braces, quote a reference,
              as in `{token: "${TOKEN}"}`, because braces have a special meaning in YAML.
            - You can also set every key as an environment variable, which overrides the file:
              `workers.max-in-flight` is `IOCLUSTER_WORKERS_MAX_IN_FLIGHT`. Write lists with commas or as `[a, b]`,
              and maps as `{a: b}`. References such as `${…}` are not replaced in these values.
            - Write durations as `250ms`, `3s`, `5m`, `1h` or `2d`, sizes as `512B`, `64KiB`, `1MiB` or `2GiB`, and
              rates as `200/s`, `30/m`, `1000/h` or `unlimited`.
            - A running node follows its file. A change to a `live` key takes effect one or two seconds after you edit
              the file, a change to a `restart` key at the next start. Each section says which its keys are; keys that
              differ are marked. See [change the configuration](operations/README.md#change-the-configuration).
            """;

    private ConfigurationReference() {}

    /** Returns the page for a root record of settings. */
    static String page(Class<?> root) {
        StringBuilder page = new StringBuilder(INTRODUCTION);
        List<SettingKey> keys = SettingKey.of(root);
        List<SettingKey> single = keys.stream()
                .filter(key -> !key.isSection() && !key.isListOfSections() && !key.isMapOfSections())
                .toList();
        if (!single.isEmpty()) {
            List<Row> rows = single.stream()
                    .map(key -> new Row(key, key.name(), key.setting().live(), ""))
                    .toList();
            page.append("\n## Top level\n\n").append(table(rows));
        }
        for (SettingKey key : keys) {
            if (key.isSection()) {
                page.append(section(key, key.section(), key.name(), List.of()));
            } else if (key.isMapOfSections()) {
                page.append(section(key, (Class<?>) key.elementType(), key.name() + ".NAME", List.of()));
            } else if (key.isListOfSections()) {
                page.append(section(
                        key,
                        (Class<?>) key.elementType(),
                        key.name() + "[]",
                        namesIn(keys, key.setting().inherits())));
            }
        }
        return page.toString();
    }

    /** Returns the keys of the section that the entries of a list inherit from. */
    private static List<String> namesIn(List<SettingKey> root, String inherits) {
        return root.stream()
                .filter(key -> key.name().equals(inherits))
                .flatMap(key -> SettingKey.of(key.section()).stream())
                .map(SettingKey::name)
                .toList();
    }

    private static String section(SettingKey key, Class<?> section, String parent, List<String> inheritedKeys) {
        List<Row> rows =
                rows(section, parent, key.setting().peer(), key.setting().live(), inheritedKeys);
        String inherited = "";
        if (!inheritedKeys.isEmpty()) {
            String all = inheritedKeys.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "));
            inherited = "\nAn entry also has every key of `" + key.setting().inherits() + "`: " + all + ".\n";
        }
        return "\n## " + key.name() + "\n\n" + key.setting().doc() + "\n" + table(rows) + inherited;
    }

    private static List<Row> rows(
            Class<?> section, String parent, String peer, boolean live, List<String> inheritedKeys) {
        List<Row> rows = new ArrayList<>();
        for (SettingKey key : SettingKey.of(section)) {
            String path = SettingKey.join(parent, key.name());
            if (inheritedKeys.contains(key.name())) {
                continue;
            }
            boolean keyLive = live || key.setting().live();
            if (key.isSection() && key.setting().inherits().isEmpty()) {
                rows.addAll(rows(key.section(), path, key.setting().peer(), keyLive, List.of()));
            } else {
                rows.add(new Row(key, path, keyLive, peer));
            }
        }
        return rows;
    }

    /** Returns when changes of most keys take effect, and a table of all keys that marks the others. */
    private static String table(List<Row> rows) {
        boolean live = rows.stream().filter(Row::live).count() * 2 >= rows.size();
        StringBuilder table = new StringBuilder("Changes: `" + (live ? "live" : "restart") + "`.\n\n");
        table.append("| key | type | default | meaning |\n|---|---|---|---|\n");
        rows.forEach(row -> table.append(row.toMarkdown(live)));
        return table.toString();
    }

    /** A key with its path, and whether a running node applies a change of it. */
    private record Row(SettingKey key, String path, boolean live, String peer) {

        String toMarkdown(boolean mostAreLive) {
            String doc = key.setting().doc().replace("{peer}", peer)
                    + (key.setting().secret() ? " Secret." : "")
                    + (live == mostAreLive ? "" : live ? " Change: `live`." : " Change: `restart`.");
            return "| `" + path + "` | " + typeName(key.type()) + " | " + defaultOf(key) + " | "
                    + doc.replace("|", "\\|") + " |\n";
        }
    }

    private static String defaultOf(SettingKey key) {
        String value = key.setting().value();
        if (!key.setting().inherits().isEmpty()) {
            return "as `" + key.setting().inherits() + "`";
        }
        if (!value.isEmpty()) {
            return "`" + value.replace("|", "\\|") + "`";
        }
        return key.isCollection() ? "empty" : "required";
    }

    private static String typeName(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type element = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
            return (generic.getRawType() == Map.class ? "map of " : "list of ") + typeName(element);
        }
        Class<?> raw = (Class<?>) type;
        if (raw == ErrorCode.class) {
            return "[error codes](errors.md)";
        }
        if (raw.isEnum()) {
            return ScalarFormat.words(raw).stream()
                    .map(word -> "`" + word + "`")
                    .collect(Collectors.joining(", "));
        }
        if (raw == int.class || raw == long.class || raw == Integer.class || raw == Long.class) {
            return "integer";
        }
        if (raw == double.class || raw == Double.class) {
            return "number";
        }
        if (raw == boolean.class || raw == Boolean.class) {
            return "boolean";
        }
        if (SettingKey.isSection(raw)) {
            return "the keys of `" + SettingKey.kebabCase(raw.getSimpleName().replace("Settings", "")) + "`";
        }
        Map<Class<?>, String> values = Map.of(
                Duration.class,
                "duration",
                DataSize.class,
                "size",
                Rate.class,
                "rate",
                StatusPattern.class,
                "statuses",
                HedgeDelay.class,
                "`off`, percentile or duration",
                ConnectionUri.class,
                "URI",
                JsonPointer.class,
                "JSON Pointer",
                JsonScalar.class,
                "JSON value");
        return values.getOrDefault(raw, "text");
    }
}
