package io.iocluster.lab.load.experiment;

import io.iocluster.lab.load.experiment.Placeholders.Reference;
import io.iocluster.node.config.binding.NearestName;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Checks what an experiment refers to: names, the time of faults, and the servers that expectations and faults need. Confined to the
 * constructor of an experiment.
 */
record CrossReferences(
        SettingsValidator validator,
        SystemUnderTest system,
        List<String> requests,
        List<Feeder> feeders,
        List<String> phases,
        List<String> metrics) {

    /** How the problem of a name that does not exist begins. */
    static final String UNKNOWN = "names the unknown ";

    /** How the problem of a missing server begins. */
    static final String NEEDS_SERVER = "needs system.";

    /** The lists whose entries others refer to. */
    static final List<String> LISTS = List.of("requests", "feeders", "phases", "metrics");

    static void check(
            SettingsValidator validator,
            SystemUnderTest system,
            List<RequestTemplate> requests,
            List<Feeder> feeders,
            List<Phase> phases,
            List<String> expectations,
            List<Fault> faults,
            List<MetricQuery> metrics) {
        CrossReferences references = new CrossReferences(
                validator,
                system,
                requests.stream().map(RequestTemplate::name).toList(),
                feeders,
                phases.stream().map(Phase::name).toList(),
                metrics.stream().map(MetricQuery::name).toList());
        validator
                .checkEach("requests", requests, references::checkRequest)
                .checkEach("expectations", expectations, references::checkExpectation)
                .checkEach("faults", faults, (path, fault) -> {
                    if (!fault.phase().isEmpty()) {
                        references.exists(path + ".phase", "phase", fault.phase(), references.phases);
                    }
                    references.checkStart(path, fault, phases);
                    references.checkEnd(path, fault, phases);
                    references.checkNodes(path, fault);
                });
        validator.checkEach(
                "phases",
                phases,
                (path, phase) ->
                        validator.checkEach(path + ".objective", phase.objective(), references::checkExpectation));
    }

    /** A fault that is due after the last call would not start. */
    private void checkStart(String path, Fault fault, List<Phase> all) {
        int first = fault.phase().isEmpty() ? 0 : phases.indexOf(fault.phase());
        if (first < 0 || all.isEmpty()) {
            return;
        }
        List<Phase> later = all.subList(first, all.size());
        if (later.stream().anyMatch(phase -> phase.plannedDuration().isZero())) {
            return;
        }
        Duration left = later.stream().map(Phase::plannedDuration).reduce(Duration.ZERO, Duration::plus);
        validator.check(
                fault.at().compareTo(left) < 0,
                path + ".at",
                "must be less than " + DurationText.format(left) + ", because the last phase ends then: "
                        + DurationText.format(fault.at()));
    }

    private void checkNodes(String path, Fault fault) {
        boolean onNodes = fault.action() != Fault.Action.COMMAND && fault.action() != Fault.Action.TARGET;
        validator.check(
                !onNodes || !fault.node().isEmpty() || !system.nodes().isEmpty(),
                path,
                NEEDS_SERVER + "nodes or node: the URLs of the admin servers of the nodes that it changes");
    }

    /** The node or the test target ends these faults by itself, so it must know when. */
    private void checkEnd(String path, Fault fault, List<Phase> all) {
        boolean endsByItself = switch (fault.action()) {
            case PAUSE_DESTINATION, LIMIT_DESTINATION, TARGET -> true;
            case PAUSE_NODE, RESIZE_NODE, COMMAND -> false;
        };
        if (endsByItself && fault.duration().isZero()) {
            all.stream()
                    .filter(phase -> phase.shape() == Phase.Shape.REPLAY)
                    .filter(phase -> phase.duration().isZero())
                    .forEach(phase -> validator.check(
                            false,
                            path + ".duration",
                            "is missing, but how long the run takes is unknown, because phase " + phase.name()
                                    + " replays a file without a duration"));
        }
    }

    private void checkRequest(String path, RequestTemplate request) {
        request.texts().forEach((key, text) -> checkText(path + "." + key, text));
    }

    private void checkText(String path, String text) {
        for (Reference reference : Placeholders.references(text)) {
            if (reference.feeder().equals(Placeholders.CALL)) {
                validator.check(
                        Set.of("number", "id").contains(reference.field()),
                        path,
                        "has the placeholder " + reference + "; use {{call.number}} or {{call.id}}");
                continue;
            }
            List<String> names = Stream.concat(feeders.stream().map(Feeder::name), Stream.of(Placeholders.CALL))
                    .toList();
            if (exists(path, "feeder", reference.feeder(), names)) {
                feeders.stream()
                        .filter(feeder -> feeder.name().equals(reference.feeder()))
                        .filter(feeder -> !feeder.values().isEmpty())
                        .forEach(feeder -> exists(
                                path,
                                "field of the feeder " + feeder.name(),
                                reference.field(),
                                List.copyOf(feeder.values().keySet())));
            }
        }
    }

    private void checkExpectation(String path, String text) {
        Expectation parsed;
        try {
            parsed = Expectation.parse(text);
        } catch (IllegalArgumentException invalid) {
            validator.check(false, path, invalid.getMessage());
            return;
        }
        if (parsed.request() != null) {
            exists(path, "request", parsed.request(), requests);
        }
        if (parsed.phase() != null) {
            exists(path, "phase", parsed.phase(), phases);
        }
        if (parsed.metric().kind() == Expectation.Kind.NAMED) {
            exists(path, "metric", parsed.metric().name(), metrics);
        }
        switch (parsed.metric().kind()) {
            case LAG, LAG_MESSAGES ->
                validator.check(
                        !system.nodes().isEmpty(),
                        path,
                        NEEDS_SERVER + "nodes: the URLs of the nodes' admin servers, which know the lag: " + text);
            case PROMQL, NAMED ->
                validator.check(
                        !system.prometheus().isEmpty(),
                        path,
                        NEEDS_SERVER + "prometheus: the URL of the server that answers the query: " + text);
            default -> {}
        }
    }

    private boolean exists(String path, String what, String name, List<String> known) {
        boolean exists = known.contains(name);
        validator.check(
                exists,
                path,
                UNKNOWN + what + " \"" + name + "\"" + NearestName.hint(name, known)
                        + (known.isEmpty() ? "; there is none" : ""));
        return exists;
    }
}
