package io.iocluster.node.tuning;

import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the status of the tuning advisor for {@code /api/tuning}. */
public final class TuningJson {

    private TuningJson() {}

    public static ObjectNode of(TuningStatus status) {
        Advice advice = status.advice();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("mode", status.mode().name().toLowerCase(Locale.ROOT));
        json.put("verdict", advice.verdict().wireName());
        json.put("maxInFlight", advice.maxInFlight());
        json.put("threads", advice.threads());
        json.put("additionalNodes", advice.additionalNodes());
        json.put("reason", advice.reason());
        json.put("since", status.since().toString());
        json.put("cpu", rounded(status.cpu()));
        json.put("cpuCeiling", status.cpuCeiling());
        json.put("lag", status.lag());
        json.put("lagTrendPerSecond", rounded(status.lagTrendPerSecond()));
        json.put("callsPerSecond", rounded(status.callsPerSecond()));
        ArrayNode steps = json.putArray("steps");
        status.steps()
                .forEach(step -> steps.addObject()
                        .put("at", step.at().toString())
                        .put("setting", step.kind().setting())
                        .put("before", step.before())
                        .put("after", step.after())
                        .put("reason", step.reason()));
        return json;
    }

    /** Returns the value with three decimals, or null if it is unknown. */
    private static Double rounded(Double value) {
        return value == null ? null : (Double) (Math.round(value * 1_000) / 1_000.0);
    }
}
