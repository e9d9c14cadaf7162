package io.iocluster.simulation.oracle;

import io.iocluster.testkit.simulation.Simulation;
import io.iocluster.transport.PublishResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * What processes learned about the answers that they published, by process and queue: what was refused, late or too large. Only these
 * excuse an answer that is in another queue, or that says that it was too large. Confined to the thread of the simulation.
 */
final class PublishTroubles {

    /** Each broker confirms within some milliseconds without a fault. A node gives a slow queue fewer answers than it has. */
    private static final long SLOW_MILLIS = 100;

    private final Simulation simulation;
    private final Set<Queue> troubled = new HashSet<>();
    /** When the publishes began that have not ended, oldest first. */
    private final Map<Queue, List<Long>> open = new HashMap<>();

    private final Set<String> tooLarge = new HashSet<>();

    /** @param name null for the configured queue */
    private record Queue(String node, String name) {}

    PublishTroubles(Simulation simulation) {
        this.simulation = simulation;
    }

    void publishes(String node, String call, String replyTo, CompletionStage<PublishResult> published) {
        Queue queue = new Queue(node, replyTo);
        Long began = simulation.millis();
        open.computeIfAbsent(queue, any -> new ArrayList<>()).add(began);
        published.whenComplete((result, bug) -> {
            open.get(queue).remove(began);
            if (result instanceof PublishResult.TooLarge) {
                tooLarge.add(node + " " + call);
            } else if (!(result instanceof PublishResult.Confirmed) || isSlow(began)) {
                troubled.add(queue);
            }
        });
    }

    private boolean isSlow(long began) {
        return simulation.millis() - began > SLOW_MILLIS;
    }

    void isMissing(String node, String replyTo) {
        troubled.add(new Queue(node, replyTo));
    }

    /**
     * Returns whether a process had a reason to publish an answer elsewhere.
     *
     * @param replyTo null for the configured queue
     */
    boolean hadTroubleWith(String node, String replyTo) {
        Queue queue = new Queue(node, replyTo);
        List<Long> waiting = open.getOrDefault(queue, List.of());
        return troubled.contains(queue) || !waiting.isEmpty() && isSlow(waiting.get(0));
    }

    /** Returns whether a process learned that an answer to the call was too large. */
    boolean wasTooLarge(String node, String call) {
        return tooLarge.contains(node + " " + call);
    }
}
