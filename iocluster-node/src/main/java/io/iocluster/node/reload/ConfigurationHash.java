package io.iocluster.node.reload;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.EffectiveSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Computes a short hash of the effective settings, by which nodes recognise that they run different ones. It leaves out what
 * differs between the nodes of a cluster on purpose: their names and addresses. Secrets count only as set or not set, because the
 * hash is public and could be used to guess them.
 */
final class ConfigurationHash {

    private static final int BYTES = 6;

    /** The sections that name or locate one node. */
    private static final Set<String> SECTIONS_OF_ONE_NODE = Set.of("node", "admin", "config");

    private static final Set<String> RESOURCE_SECTIONS = Set.of("/tracing", "/metrics/otlp");

    /** The properties of Kafka's clients that differ between nodes. */
    private static final List<String> PROPERTIES_OF_ONE_NODE = List.of("group.instance.id", "client.rack");

    private ConfigurationHash() {}

    /** Returns the hash in hexadecimal digits. */
    static String of(LoadedSettings<NodeSettings> loaded) {
        ObjectNode tree = new EffectiveSettings(loaded).tree();
        tree.remove(SECTIONS_OF_ONE_NODE);
        RESOURCE_SECTIONS.forEach(section -> remove(tree.at(section), List.of("resource-attributes")));
        remove(tree.at("/kafka/properties"), PROPERTIES_OF_ONE_NODE);
        return HexFormat.of().formatHex(sha256(sorted(tree).toString()), 0, BYTES);
    }

    private static void remove(JsonNode section, List<String> keys) {
        if (section instanceof ObjectNode object) {
            object.remove(keys);
        }
    }

    /** Sorts the keys, because the order of a map differs between processes. */
    private static JsonNode sorted(JsonNode node) {
        if (node instanceof ArrayNode array) {
            ArrayNode copy = JsonNodeFactory.instance.arrayNode();
            array.forEach(each -> copy.add(sorted(each)));
            return copy;
        }
        if (node instanceof ObjectNode object) {
            TreeMap<String, JsonNode> entries = new TreeMap<>();
            object.forEachEntry((key, value) -> entries.put(key, sorted(value)));
            ObjectNode copy = JsonNodeFactory.instance.objectNode();
            entries.forEach(copy::set);
            return copy;
        }
        return node;
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JVM has SHA-256", impossible);
        }
    }
}
