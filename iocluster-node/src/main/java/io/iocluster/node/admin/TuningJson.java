package io.iocluster.node.admin;

import io.iocluster.node.tuning.Advice;
import io.iocluster.node.tuning.TuningStatus;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes what the advisor says for {@code /api/tuning}. */
final class TuningJson {

    private TuningJson() {}

    static ObjectNode of(TuningStatus status) {
        Advice advice = status.advice();
        ObjectNode json = AdminResponse.JSON.createObjectNode();
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

    /** To three decimals. */
    private static Double rounded(Double value) {
        return value == null ? null : (Double) (Math.round(value * 1_000) / 1_000.0);
    }
}
