package io.iocluster.node.config;

import io.iocluster.settings.DataSize;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes the reference page of the configuration from the settings records. */
final class ConfigurationReference {

    private static final String INTRODUCTION = """
            # Configuration

            <!-- Made from the settings records; `bin/test` fails when it is stale. Rewrite it with
                 mvn -pl iocluster-node -am test -Dtest=ConfigurationReferenceTest -Dsurefire.failIfNoSpecifiedTests=false -Dupdate-docs=true -->

            A node reads one YAML file. Every key has a default unless the table says that it is required; a key that is
            not listed here is a mistake, and so is a repeated one. `bin/iocluster check --config FILE` names every
            mistake with its path and prints what holds, with secrets hidden.

            - `${NAME}` and `${NAME:default}` put in an environment variable, `${file:PATH}` a file's content without
              its last line break; a relative path starts at the configuration file's folder. `$${` stands for `${`.
              A value that came from a file is never shown. Inside braces, as in `{token: "${TOKEN}"}`, quote it: YAML takes
              the brace for its own.
            - Every key can be set as an environment variable too, which wins over the file: `workers.max-in-flight` as
              `IOCLUSTER_WORKERS_MAX_IN_FLIGHT`. Lists are written with commas or as `[a, b]`, maps as `{a: b}`. Such a
              value is taken as it is, without `${…}`.
            - Durations are written as `250ms`, `3s`, `5m`, `1h` or `2d`, sizes as `512B`, `64KiB`, `1MiB` or `2GiB`.
            """;

    private ConfigurationReference() {}

    /** The page for a root of settings. */
    static String page(Class<?> root) {
        StringBuilder page = new StringBuilder(INTRODUCTION);
        List<SettingKey> keys = SettingKey.of(root);
        List<SettingKey> single = keys.stream().filter(key -> !key.isSection()).toList();
        if (!single.isEmpty()) {
            page.append("\n## At the top\n\n").append(header());
            single.forEach(key -> page.append(row(key, key.name())));
        }
        keys.stream().filter(SettingKey::isSection).forEach(key -> page.append(section(key)));
        return page.toString();
    }

    private static String section(SettingKey section) {
        StringBuilder rows = new StringBuilder();
        rows(section.section(), section.name(), rows);
        return "\n## " + section.name() + "\n\n" + section.setting().doc() + "\n\n" + header() + rows;
    }

    private static void rows(Class<?> section, String parent, StringBuilder rows) {
        for (SettingKey key : SettingKey.of(section)) {
            String path = SettingKey.join(parent, key.name());
            if (key.isSection()) {
                rows(key.section(), path, rows);
            } else {
                rows.append(row(key, path));
            }
        }
    }

    private static String header() {
        return "| key | type | default | meaning |\n|---|---|---|---|\n";
    }

    private static String row(SettingKey key, String path) {
        String doc = key.setting().doc() + (key.setting().secret() ? " Secret." : "");
        return "| `" + path + "` | " + typeName(key.type()) + " | " + defaultOf(key) + " | " + doc.replace("|", "\\|")
                + " |\n";
    }

    private static String defaultOf(SettingKey key) {
        String value = key.setting().value();
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
        if (raw.isEnum()) {
            return Scalars.words(raw).stream().map(word -> "`" + word + "`").collect(Collectors.joining(", "));
        }
        if (raw == int.class || raw == long.class || raw == Integer.class || raw == Long.class) {
            return "whole number";
        }
        if (raw == boolean.class || raw == Boolean.class) {
            return "`true`, `false`";
        }
        return raw == Duration.class ? "duration" : raw == DataSize.class ? "size" : "text";
    }
}
