package io.iocluster.node.runtime;

import io.iocluster.node.admin.AdminException;
import io.iocluster.node.admin.AdminRequest;
import io.iocluster.node.admin.AdminResponse;
import io.iocluster.node.admin.AdminRoute;
import io.iocluster.node.admin.AdminRoute.AuditedAction;
import io.iocluster.node.config.ActionSettings;
import io.iocluster.node.config.LoggingSettings.Level;
import io.iocluster.node.logging.LogLevels;
import io.iocluster.status.json.StatusMapper;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Handles the path of the admin API that changes the level of a logger for a time, and lists such levels. Thread-safe. */
public final class LogLevelActions {

    private static final String LOGGER = "logger";
    private static final String LEVEL = "level";
    private static final String DEFAULT = "default";

    private final LogLevels levels;
    private final Supplier<ActionSettings> settings;

    /**
     * Creates the actions of a node.
     *
     * @param settings returns the settings in use
     */
    public LogLevelActions(LogLevels levels, Supplier<ActionSettings> settings) {
        this.levels = levels;
        this.settings = settings;
    }

    /** Returns the routes. */
    public List<AdminRoute> routes() {
        return List.of(AdminRoute.action(
                "POST", "/api/log-levels", new AuditedAction("log-level", request -> state(read(request))), this::set));
    }

    /** Returns the levels that operators set. */
    public JsonNode json() {
        return StatusMapper.tree(levels.all());
    }

    private static ActionBody read(AdminRequest request) {
        return new ActionBody(
                request,
                List.of(LOGGER, LEVEL, "for"),
                "{\"logger\": \"io.iocluster.destination\", \"level\": \"debug\", \"for\": \"10m\"}");
    }

    private AdminResponse set(AdminRequest request) {
        ActionBody body = read(request);
        String logger = logger(body);
        String level = body.requiredText(LEVEL);
        if (!levels.isChangeable(logger)) {
            throw new AdminException(400, "the level of the audit log cannot be changed");
        }
        if (level.equals(DEFAULT)) {
            levels.reset(logger);
        } else {
            levels.set(logger, level(level), body.duration(settings.get()));
        }
        return AdminResponse.ok(state(body));
    }

    private String logger(ActionBody body) {
        String wanted = body.requiredText(LOGGER);
        String logger = wanted.equalsIgnoreCase(LogLevels.ROOT) ? LogLevels.ROOT : wanted;
        if (!levels.exists(logger)) {
            throw new AdminException(
                    404,
                    "no logger is called " + logger
                            + "; name a package or class whose code has run, such as io.iocluster.destination, or root");
        }
        return logger;
    }

    private static Level level(String text) {
        return Arrays.stream(Level.values())
                .filter(each -> wireName(each).equals(text))
                .findFirst()
                .orElseThrow(() -> new AdminException(
                        400,
                        "level must be one of "
                                + Arrays.stream(Level.values())
                                        .map(LogLevelActions::wireName)
                                        .collect(Collectors.joining(", "))
                                + ", default: " + text));
    }

    private JsonNode state(ActionBody body) {
        String logger = logger(body);
        ObjectNode state = AdminResponse.object().put(LOGGER, logger).put(LEVEL, wireName(levels.level(logger)));
        String until = levels.all().stream()
                .filter(each -> each.logger().equals(logger))
                .map(each -> each.until().toString())
                .findFirst()
                .orElse(null);
        return state.put("until", until);
    }

    private static String wireName(Level level) {
        return level.name().toLowerCase(Locale.ROOT);
    }
}
