package io.iocluster.node.reload;

import io.iocluster.node.reload.ConfigurationStatus.Reload;
import java.util.Objects;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the status of the live configuration for {@code /api/status}. */
public final class ConfigurationJson {

    private ConfigurationJson() {}

    public static ObjectNode of(ConfigurationStatus configuration) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("file", Objects.toString(configuration.file(), null));
        json.put("hash", configuration.hash());
        json.put("differs", configuration.differs());
        json.put("applied", configuration.applied());
        json.put("refused", configuration.refused());
        Reload last = configuration.lastReload();
        if (last == null) {
            json.putNull("lastReload");
        } else {
            ObjectNode reload = json.putObject("lastReload");
            reload.put("at", last.at().toString());
            reload.put("result", last.isRefused() ? "refused" : "applied");
            ArrayNode errors = reload.putArray("errors");
            last.errors().forEach(errors::add);
        }
        ArrayNode restartNeeded = json.putArray("restartNeeded");
        configuration.restartNeeded().forEach(restartNeeded::add);
        return json;
    }
}
