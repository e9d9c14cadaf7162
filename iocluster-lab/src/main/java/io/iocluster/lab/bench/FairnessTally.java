package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.PolledAnswer;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.LatencyRecorder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Collects the answers of one fairness run; only the first answer of a call counts. Answers are parsed only when the
 * outcomes are requested, because parsing would delay the next poll. Confined to one thread.
 */
final class FairnessTally {

    private final BitSet answered = new BitSet();
    private final LatencyRecorder good = new LatencyRecorder();
    private final Map<FairnessTarget, List<PolledAnswer>> answers = new EnumMap<>(FairnessTarget.class);

    /** Adds the answer of a call that arrived {@code nanos} after the call was due. */
    void add(long number, PolledAnswer answer, long nanos) {
        int index = Math.toIntExact(number);
        if (answered.get(index)) {
            return;
        }
        answered.set(index);
        FairnessTarget target = FairnessTarget.forCall(number);
        answers.computeIfAbsent(target, any -> new ArrayList<>()).add(answer);
        if (target == FairnessTarget.GOOD) {
            good.record(nanos);
        }
    }

    int answered() {
        return answered.cardinality();
    }

    /** Returns whether all calls to the good host ended with 200. */
    boolean allGoodCallsSucceeded() {
        return answers.getOrDefault(FairnessTarget.GOOD, List.of()).stream().allMatch(PolledAnswer::isOk);
    }

    /** Returns the latencies of the calls to the good host. */
    LatencyHistogram goodLatency() {
        return good.histogram();
    }

    /** Returns the number of calls by host and by status or error code. */
    Map<String, Map<String, Long>> outcomes() {
        Map<String, Map<String, Long>> named = new LinkedHashMap<>();
        answers.forEach((target, all) -> named.put(
                target.label(),
                all.stream()
                        .collect(Collectors.groupingBy(
                                PolledAnswer::outcomeCode, TreeMap::new, Collectors.counting()))));
        return named;
    }
}
