package io.iocluster.lab.bench.scenario;

import io.iocluster.lab.bench.queue.PolledAnswer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * What became of the calls of one fairness run, each counted by its first answer. Answers are kept as they are until somebody asks
 * how they ended: reading each would make the next one wait. Used by one thread.
 */
final class FairnessTally {

    private final BitSet answered = new BitSet();
    private final Histogram goodMicros = new Histogram(TimeUnit.MINUTES.toMicros(5), 3);
    private final Map<FairnessTarget, List<PolledAnswer>> answers = new EnumMap<>(FairnessTarget.class);

    /** The call of this number has an answer, so long after it was due. */
    void add(long number, PolledAnswer answer, long nanos) {
        int index = Math.toIntExact(number);
        if (answered.get(index)) {
            return;
        }
        answered.set(index);
        FairnessTarget callee = FairnessTarget.forCall(number);
        answers.computeIfAbsent(callee, any -> new ArrayList<>()).add(answer);
        if (callee == FairnessTarget.GOOD) {
            goodMicros.recordValue(nanos / 1_000);
        }
    }

    int answered() {
        return answered.cardinality();
    }

    /** Whether no good call ended otherwise than with 200. */
    boolean allGoodCallsSucceeded() {
        return answers.getOrDefault(FairnessTarget.GOOD, List.of()).stream().allMatch(PolledAnswer::isOk);
    }

    double goodPercentileMillis(double percentile) {
        return goodMicros.getValueAtPercentile(percentile) / 1e3;
    }

    /** How many calls ended how, by host and by status or code. */
    Map<String, Map<String, Long>> outcomes() {
        Map<String, Map<String, Long>> named = new LinkedHashMap<>();
        answers.forEach((callee, all) -> named.put(
                callee.label(),
                all.stream()
                        .collect(Collectors.groupingBy(
                                PolledAnswer::outcomeCode, TreeMap::new, Collectors.counting()))));
        return named;
    }
}
