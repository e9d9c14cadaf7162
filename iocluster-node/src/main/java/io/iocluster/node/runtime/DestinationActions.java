package io.iocluster.node.runtime;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.operator.OperatorAction;
import io.iocluster.destination.operator.OperatorAction.Limit;
import io.iocluster.destination.operator.OperatorAction.Pause;
import io.iocluster.destination.operator.OperatorAction.RemoveLimit;
import io.iocluster.destination.operator.OperatorAction.ResetBreaker;
import io.iocluster.destination.operator.OperatorAction.Resume;
import io.iocluster.node.admin.AdminException;
import io.iocluster.node.admin.AdminRequest;
import io.iocluster.node.admin.AdminResponse;
import io.iocluster.node.admin.AdminRoute;
import io.iocluster.node.admin.AdminRoute.AuditedAction;
import io.iocluster.node.config.ActionSettings;
import io.iocluster.settings.Rate;
import io.iocluster.status.json.StatusMapper;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Handles the paths of the admin API that pause, limit or reset one destination. Thread-safe. */
public final class DestinationActions {

    private static final String NAME = "destination";
    private static final String IN_FLIGHT = "max-in-flight";
    private static final String RATE = "rate";
    private static final String FOR = "for";
    private static final int MAX_IN_FLIGHT = 1_000_000;

    private final Supplier<List<DestinationStatus>> destinations;
    private final BiFunction<String, OperatorAction, Optional<DestinationStatus>> apply;
    private final Supplier<ActionSettings> settings;

    /**
     * Creates the actions of a node.
     *
     * @param destinations returns the status of all destinations
     * @param apply applies an action to the destination of this name, and returns its new status; empty if there is none
     * @param settings returns the settings in use
     */
    public DestinationActions(
            Supplier<List<DestinationStatus>> destinations,
            BiFunction<String, OperatorAction, Optional<DestinationStatus>> apply,
            Supplier<ActionSettings> settings) {
        this.destinations = destinations;
        this.apply = apply;
        this.settings = settings;
    }

    /** Returns the routes. */
    public List<AdminRoute> routes() {
        List<String> name = List.of(NAME);
        return List.of(
                route(
                        "pause",
                        List.of(NAME, FOR),
                        "{\"destination\": \"partner\", \"for\": \"10m\"}",
                        body -> new Pause(body.duration(settings.get()))),
                route("resume", name, "{\"destination\": \"partner\"}", body -> new Resume()),
                route(
                        "limit",
                        List.of(NAME, IN_FLIGHT, RATE, FOR),
                        "{\"destination\": \"partner\", \"rate\": \"50/s\", \"for\": \"10m\"}",
                        this::limit),
                route("unlimit", name, "{\"destination\": \"partner\"}", body -> new RemoveLimit()),
                route("reset-breaker", name, "{\"destination\": \"partner\"}", this::resetBreaker));
    }

    private AdminRoute route(
            String action, List<String> keys, String example, Function<ActionBody, OperatorAction> read) {
        Function<AdminRequest, ActionBody> body = request -> new ActionBody(request, keys, example);
        return AdminRoute.action(
                "POST",
                "/api/destinations/" + action,
                new AuditedAction("destination-" + action, request -> state(body.apply(request))),
                request -> {
                    ActionBody wanted = body.apply(request);
                    String name = wanted.requiredText(NAME);
                    return apply.apply(name, read.apply(wanted))
                            .map(status -> AdminResponse.ok(StatusMapper.object(status)))
                            .orElseThrow(() -> unknown(name));
                });
    }

    private Limit limit(ActionBody body) {
        Integer maxInFlight = body.positiveNumber(IN_FLIGHT, MAX_IN_FLIGHT);
        String rate = body.text(RATE);
        if (maxInFlight == null && rate == null) {
            throw new AdminException(400, "max-in-flight or rate is missing");
        }
        return new Limit(maxInFlight, rate == null ? null : rate(rate), body.duration(settings.get()));
    }

    private static Rate rate(String text) {
        try {
            return Rate.parse(text);
        } catch (IllegalArgumentException invalid) {
            throw new AdminException(400, "rate must be such as 200/s, 30/m or unlimited: " + text);
        }
    }

    private ResetBreaker resetBreaker(ActionBody body) {
        String name = body.requiredText(NAME);
        if (find(name).breaker() == BreakerState.DISABLED) {
            throw new AdminException(409, "the breaker of " + name + " is disabled");
        }
        return new ResetBreaker();
    }

    private DestinationStatus find(String name) {
        return destinations.get().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(name));
    }

    private static AdminException unknown(String name) {
        return new AdminException(404, "no destination is called " + name + "; GET /api/destinations lists them");
    }

    /** Returns the fields of a destination that the actions can change, for the audit log. */
    private JsonNode state(ActionBody body) {
        ObjectNode whole = StatusMapper.object(find(body.requiredText(NAME)));
        ObjectNode state = AdminResponse.object();
        state.set(NAME, whole.get("name"));
        for (String field : List.of("operatorPause", "operatorLimit", "inFlightLimit", "rate", "breaker")) {
            state.set(field, whole.get(field));
        }
        return state;
    }
}
