package io.iocluster.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A full queue and a target that takes a second: are that many calls really open at once? */
final class InFlight implements Scenario {

    @Override
    public String name() {
        return "in-flight";
    }

    @Override
    public Measurement measure(Lab lab, Subject subject, int round, BenchOptions options) {
        Measurement measured = new Backlog(
                        "/delay?ms=1000", options.warmup(), options.wide(), options.wideRequests(), options.wide())
                .measure(lab, subject, round, options);
        JsonNode totals = new JsonMapper().readTree(lab.target().totals());
        Map<String, Double> extras = new LinkedHashMap<>(measured.extras());
        extras.put("peak open", totals.get("peakOpen").asDouble());
        return new Measurement(
                subject,
                round,
                measured.calls(),
                measured.callsPerSecond(),
                measured.cpuMicrosPerCall(),
                measured.peakResidentBytes(),
                measured.peakHeapBytes(),
                extras);
    }
}
