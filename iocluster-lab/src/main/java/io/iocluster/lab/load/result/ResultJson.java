package io.iocluster.lab.load.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Writes and reads results as JSON. Thread-safe. */
public final class ResultJson {

    private static final String FORMAT = "format";
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private ResultJson() {}

    /** Returns the result as JSON on one line. */
    public static String encode(RunResult result) {
        ObjectNode tree = JSON.createObjectNode().put(FORMAT, RunResult.FORMAT);
        return JSON.writeValueAsString(tree.setAll((ObjectNode) JSON.valueToTree(result)));
    }

    /**
     * Reads a result from a file.
     *
     * @throws IOException if the file cannot be read or is not a result; the message is for the user
     */
    public static RunResult read(Path file) throws IOException {
        return decode(Files.readString(file), file.toString());
    }

    /**
     * Reads a result from its JSON.
     *
     * @param origin where the text is from, for the message
     * @throws IOException if it is not a result; the message is for the user
     */
    public static RunResult decode(String json, String origin) throws IOException {
        try {
            JsonNode tree = JSON.readTree(json);
            int format = tree.path(FORMAT).asInt(0);
            if (format != RunResult.FORMAT) {
                throw new IOException(
                        origin + ": is not a result of `iocluster load run` in format " + RunResult.FORMAT);
            }
            return JSON.treeToValue(tree, RunResult.class);
        } catch (JacksonException damaged) {
            throw new IOException(origin + ": is not a result: " + damaged.getOriginalMessage(), damaged);
        }
    }
}
