package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.LoadPattern;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.process.TempDirectory;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * The setup of a subject.
 *
 * @param settings node settings by path; the command line overrides them
 */
record SubjectSetup(BenchQueues queues, int maxInFlight, LoadPattern load, Map<String, String> settings) {

    private static final ObjectMapper JSON = new JsonMapper();

    SubjectSetup(BenchQueues queues, int maxInFlight, LoadPattern load) {
        this(queues, maxInFlight, load, Map.of());
    }

    /** Writes a node's configuration file as JSON, which is valid YAML, and returns the file. */
    Path writeNodeConfig(BenchOptions options, TempDirectory folder) {
        Map<String, Object> root = new LinkedHashMap<>();
        set(root, "node.id", "bench");
        queues.nodeSettings().forEach((path, value) -> set(root, path, value));
        set(root, "workers.max-in-flight", maxInFlight);
        set(root, "egress.ports", List.of());
        set(root, "egress.allow-networks", List.of("127.0.0.0/8"));
        set(root, "admin.host", "127.0.0.1");
        set(root, "admin.port", FreePorts.find(1)[0]);
        settings.forEach((path, value) -> set(root, path, value(value)));
        options.settings.forEach((path, value) -> set(root, path, value(value)));
        Path file = folder.resolve("node.yaml");
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
