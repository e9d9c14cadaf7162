package io.iocluster.lab.load.run;

import io.iocluster.lab.load.experiment.Experiment;
import io.iocluster.lab.load.experiment.Phase;
import io.iocluster.lab.load.experiment.RequestTemplate;
import io.iocluster.lab.load.result.PhaseResult;
import io.iocluster.lab.load.result.TemplateResult;
import java.util.List;

/** Counts the calls that are due in one phase, or in one trial of a search. Thread-safe. */
final class PhaseRecorder {

    private final Phase phase;
    private final List<TemplateRecorder> templates;

    private PhaseRecorder(Phase phase, List<TemplateRecorder> templates) {
        this.phase = phase;
        this.templates = templates;
    }

    /** Creates a recorder; a replay has one template with the name of the phase. */
    static PhaseRecorder of(Phase phase, Experiment experiment) {
        List<String> names = phase.shape() == Phase.Shape.REPLAY
                ? List.of(phase.name())
                : experiment.requests().stream().map(RequestTemplate::name).toList();
        return new PhaseRecorder(
                phase, names.stream().map(TemplateRecorder::new).toList());
    }

    boolean isMeasured() {
        return phase.measured();
    }

    TemplateRecorder template(int index) {
        return templates.get(index);
    }

    long outstanding() {
        return templates.stream().mapToLong(TemplateRecorder::outstanding).sum();
    }

    /** Returns the figures. Calls that have not ended count as unanswered. */
    PhaseResult result(double fromSeconds, double toSeconds, long due) {
        List<TemplateResult> results =
                templates.stream().map(TemplateRecorder::result).toList();
        return new PhaseResult(
                phase.name(),
                phase.shape(),
                phase.measured(),
                fromSeconds,
                toSeconds,
                due,
                results.stream().mapToLong(TemplateResult::sent).sum(),
                results);
    }
}
