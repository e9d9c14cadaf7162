package io.iocluster.lab.load.data;

import io.iocluster.lab.load.data.CompiledText.CallValue;
import io.iocluster.lab.load.experiment.Experiment;
import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.experiment.Feeder;
import io.iocluster.lab.load.experiment.Placeholders;
import io.iocluster.lab.load.experiment.Placeholders.Reference;
import io.iocluster.lab.load.experiment.RequestTemplate;
import io.iocluster.node.config.binding.NearestName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Creates calls from templates and feeders. Which template and which random rows a call has depends only on the seed and the
 * call's number, not on the number of agents. Confined to the thread that sends the calls.
 */
public final class CallFactory {

    private static final long GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15L;

    private final long seed;
    private final String runId;
    private final int stride;
    private final List<RowCursor> cursors = new ArrayList<>();
    private final List<CompiledTemplate> templates = new ArrayList<>();
    private final double[] cumulativeWeights;
    private long next;

    /**
     * Loads the feeders' files.
     *
     * @param agents number of processes that share the calls
     * @param agent index of this process
     * @throws IOException if a file is missing or invalid, or a template names a field that its feeder does not have; the message
     *     is for the user
     */
    public CallFactory(ExperimentFile file, String runId, int agents, int agent) throws IOException {
        Experiment experiment = file.experiment();
        this.seed = experiment.seed();
        this.runId = runId;
        this.stride = agents;
        this.next = agent;
        List<Rows> rows = new ArrayList<>();
        for (Feeder feeder : experiment.feeders()) {
            Rows loaded = FeederLoader.load(file, feeder);
            rows.add(loaded);
            cursors.add(new RowCursor(loaded, feeder, agents, agent));
        }
        cumulativeWeights = new double[experiment.requests().size()];
        double sum = 0;
        for (int i = 0; i < cumulativeWeights.length; i++) {
            RequestTemplate template = experiment.requests().get(i);
            sum += template.weight();
            cumulativeWeights[i] = sum;
            boolean[] used = new boolean[rows.size()];
            checkFields("requests[" + i + "].", template, experiment.feeders(), rows);
            templates.add(new CompiledTemplate(
                    i, template, reference -> value(reference, experiment.feeders(), rows, used), used));
        }
    }

    private static void checkFields(String path, RequestTemplate template, List<Feeder> feeders, List<Rows> rows)
            throws InvalidRequestException {
        for (Map.Entry<String, String> text : template.texts().entrySet()) {
            for (Reference reference : Placeholders.references(text.getValue())) {
                if (reference.feeder().equals(Placeholders.CALL)) {
                    continue;
                }
                List<String> fields =
                        rows.get(indexOf(reference.feeder(), feeders)).fields();
                if (!fields.contains(reference.field())) {
                    throw new InvalidRequestException(
                            path + text.getKey(),
                            "names the unknown field of the feeder " + reference.feeder() + " \"" + reference.field()
                                    + "\"" + NearestName.hint(reference.field(), fields) + "; it has "
                                    + String.join(", ", fields));
                }
            }
        }
    }

    private static int indexOf(String feeder, List<Feeder> feeders) {
        return feeders.stream().map(Feeder::name).toList().indexOf(feeder);
    }

    private static CallValue value(Reference reference, List<Feeder> feeders, List<Rows> rows, boolean[] used) {
        if (reference.feeder().equals(Placeholders.CALL)) {
            return reference.field().equals("id") ? CurrentCall::id : call -> Long.toString(call.number());
        }
        int feeder = indexOf(reference.feeder(), feeders);
        Rows table = rows.get(feeder);
        int field = table.fields().indexOf(reference.field());
        used[feeder] = true;
        return call -> table.value(call.rows()[feeder], field);
    }

    /** Returns the next call; null if a feeder with {@code order: unique} has no rows left. */
    public CallSpec next() {
        long number = next;
        next += stride;
        // Twice, because the first generators continue each other, so that a call would repeat numbers of another one.
        SplittableRandom random = new SplittableRandom(new SplittableRandom(seed ^ (number * GOLDEN_RATIO)).nextLong());
        CompiledTemplate template = choose(random.nextDouble());
        long[] rows = new long[cursors.size()];
        for (int i = 0; i < rows.length; i++) {
            if (template.uses(i)) {
                rows[i] = cursors.get(i).next(random);
                if (rows[i] == RowCursor.EXHAUSTED) {
                    return null;
                }
            }
        }
        return template.render(new CurrentCall(number, runId + "-" + number, rows));
    }

    /** Returns a call of each template, with the first row of its feeders. Uses up no row and no number. */
    public List<CallSpec> examples() {
        CurrentCall first = new CurrentCall(0, runId + "-0", new long[cursors.size()]);
        return templates.stream().map(template -> template.render(first)).toList();
    }

    private CompiledTemplate choose(double uniform) {
        double point = uniform * cumulativeWeights[cumulativeWeights.length - 1];
        for (int i = 0; i < cumulativeWeights.length - 1; i++) {
            if (point < cumulativeWeights[i]) {
                return templates.get(i);
            }
        }
        return templates.get(templates.size() - 1);
    }
}
