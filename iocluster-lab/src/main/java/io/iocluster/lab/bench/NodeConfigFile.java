package io.iocluster.lab.bench;

import io.iocluster.testkit.process.FreePorts;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** Writes a node's configuration file as JSON, which is valid YAML. */
final class NodeConfigFile {

    private static final ObjectMapper JSON = new JsonMapper();

    private NodeConfigFile() {}

    public static Path write(SubjectSetup setup, BenchOptions options, Path file) {
        Map<String, Object> root = new LinkedHashMap<>();
        set(root, "node.id", "bench");
        setup.queues().nodeSettings().forEach((path, value) -> set(root, path, value));
        set(root, "workers.max-in-flight", setup.maxInFlight());
        set(root, "egress.ports", List.of());
        set(root, "egress.allow-networks", List.of("127.0.0.0/8"));
        set(root, "admin.host", "127.0.0.1");
        set(root, "admin.port", FreePorts.find(1)[0]);
        setup.settings().forEach((path, value) -> set(root, path, value(value)));
        options.settings.forEach((path, value) -> set(root, path, value(value)));
        JSON.writeValue(file.toFile(), root);
        return file;
    }

    @SuppressWarnings("unchecked")
    private static void set(Map<String, Object> root, String path, Object value) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            root.put(path, value);
        } else {
            Object child = root.computeIfAbsent(path.substring(0, dot), name -> new LinkedHashMap<>());
            set((Map<String, Object>) child, path.substring(dot + 1), value);
        }
    }

    /** Parses the text as JSON if it is JSON; otherwise, keeps it as text. */
    private static Object value(String text) {
        try {
            return JSON.readValue(text, Object.class);
        } catch (JacksonException e) {
            return text;
        }
    }
}
