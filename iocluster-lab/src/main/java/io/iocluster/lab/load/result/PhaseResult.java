package io.iocluster.lab.load.result;

import io.iocluster.lab.load.experiment.Phase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A phase of a run. Answers count for the phase in which their call was due.
 *
 * @param measured whether expectations without a phase include it
 * @param fromSeconds when it started, in seconds since the start of the run
 * @param toSeconds when its last call was due, or when it was interrupted, in seconds since the start of the run
 * @param due number of calls that were due; in a closed loop, those that were sent
 * @param sent number of calls that were sent
 * @param templates the figures of each request template, in the order of the experiment
 */
public record PhaseResult(
        String name,
        Phase.Shape shape,
        boolean measured,
        double fromSeconds,
        double toSeconds,
        long due,
        long sent,
        List<TemplateResult> templates) {

    public PhaseResult {
        templates = List.copyOf(templates);
    }

    /** Returns the calls per second that were due. */
    public double intendedRate() {
        return rate(due);
    }

    /** Returns the calls per second that were sent. */
    public double actualRate() {
        return rate(sent);
    }

    private double rate(long calls) {
        double seconds = toSeconds - fromSeconds;
        return seconds > 0 ? calls / seconds : 0;
    }

    /** Returns one result for each name, in the order of the first of each: that of all trials of a search, or of all agents. */
    public static List<PhaseResult> mergeByName(List<PhaseResult> results) {
        Map<String, List<PhaseResult>> byName = new LinkedHashMap<>();
        results.forEach(result ->
                byName.computeIfAbsent(result.name(), any -> new ArrayList<>()).add(result));
        return byName.values().stream().map(PhaseResult::merge).toList();
    }

    private static PhaseResult merge(List<PhaseResult> parts) {
        PhaseResult first = parts.get(0);
        if (parts.size() == 1) {
            return first;
        }
        List<TemplateResult> sums = new ArrayList<>();
        for (int i = 0; i < first.templates.size(); i++) {
            int index = i;
            sums.add(TemplateResult.sum(
                    first.templates.get(i).template(),
                    parts.stream().map(part -> part.templates.get(index)).toList()));
        }
        return new PhaseResult(
                first.name,
                first.shape,
                first.measured,
                parts.stream().mapToDouble(PhaseResult::fromSeconds).min().orElse(0),
                parts.stream().mapToDouble(PhaseResult::toSeconds).max().orElse(0),
                parts.stream().mapToLong(PhaseResult::due).sum(),
                parts.stream().mapToLong(PhaseResult::sent).sum(),
                sums);
    }

    /** Returns the figures of all templates together, with the name {@code all}. */
    public TemplateResult total() {
        return TemplateResult.sum("all", templates);
    }
}
