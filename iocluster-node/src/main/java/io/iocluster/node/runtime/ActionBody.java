package io.iocluster.node.runtime;

import io.iocluster.node.admin.AdminException;
import io.iocluster.node.admin.AdminRequest;
import io.iocluster.node.config.ActionSettings;
import io.iocluster.settings.DurationText;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The JSON body of a request for an action. Immutable. */
final class ActionBody {

    private static final String DURATION_KEY = "for";

    private final ObjectNode json;

    /**
     * Reads the body.
     *
     * @param keys all known keys
     * @param example a valid body, for the error message
     * @throws AdminException if the body is invalid
     */
    ActionBody(AdminRequest request, List<String> keys, String example) {
        this.json = request.json(keys, example);
    }

    /** Returns a text; throws {@link AdminException} if it is missing or blank. */
    String requiredText(String key) {
        String text = text(key);
        if (text == null || text.isBlank()) {
            throw new AdminException(400, key + " is missing");
        }
        return text;
    }

    /** Returns a text, or null if the key is missing. */
    String text(String key) {
        JsonNode value = json.get(key);
        if (value == null) {
            return null;
        }
        if (!value.isString()) {
            throw new AdminException(400, key + " must be a JSON string: " + value);
        }
        return value.asString();
    }

    /** Returns a whole number of 1 or more, or null if the key is missing. */
    Integer positiveNumber(String key, int max) {
        JsonNode value = json.get(key);
        if (value == null) {
            return null;
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.asInt() < 1 || value.asInt() > max) {
            throw new AdminException(400, key + " must be a whole number from 1 to " + max + ": " + value);
        }
        return value.asInt();
    }

    /** Returns how long the action holds: the value of {@code for}, or {@code admin.actions.duration} without it. */
    Duration duration(ActionSettings settings) {
        String text = text(DURATION_KEY);
        if (text == null) {
            return settings.duration();
        }
        Duration duration;
        try {
            duration = DurationText.parse(text);
        } catch (IllegalArgumentException | ArithmeticException invalid) {
            throw new AdminException(400, "for must be a duration such as 90s, 10m or 2h: " + text);
        }
        if (duration.compareTo(ActionSettings.MIN_DURATION) < 0 || duration.compareTo(settings.maxDuration()) > 0) {
            throw new AdminException(
                    400,
                    "for must be from " + DurationText.format(ActionSettings.MIN_DURATION) + " to "
                            + DurationText.format(settings.maxDuration()) + " (admin.actions.max-duration): " + text);
        }
        return duration;
    }
}
