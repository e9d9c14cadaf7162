package io.iocluster.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.transport.Settlement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * Remembers the ids of answers in progress and of the last {@code maxIds} handled answers. Thread-safe.
 */
final class AnswerDeduplicator {

    private final int maxIds;

    @GuardedBy("this")
    private final Map<String, List<Settlement>> inProgress = new HashMap<>();

    @GuardedBy("this")
    private final LinkedHashSet<String> handled = new LinkedHashSet<>();

    /** What to do with an answer. */
    enum AnswerState {
        /** The id is new: pass the answer to the listener and call {@link AnswerDeduplicator#complete} afterwards. */
        NEW,
        /** An answer with this id was handled before: acknowledge this one. */
        ALREADY_HANDLED,
        /** An answer with this id is in progress: {@link AnswerDeduplicator#complete} returns this settlement too. */
        IN_PROGRESS
    }

    /** Creates a deduplicator that remembers at most {@code maxIds} handled ids; 0 remembers none. */
    AnswerDeduplicator(int maxIds) {
        this.maxIds = maxIds;
    }

    synchronized AnswerState register(String id, Settlement settlement) {
        if (handled.contains(id)) {
            return AnswerState.ALREADY_HANDLED;
        }
        List<Settlement> duplicates = inProgress.get(id);
        if (duplicates != null) {
            duplicates.add(settlement);
            return AnswerState.IN_PROGRESS;
        }
        List<Settlement> settlements = new ArrayList<>(1);
        settlements.add(settlement);
        inProgress.put(id, settlements);
        return AnswerState.NEW;
    }

    /**
     * Ends the processing of an answer.
     *
     * @param success whether the listener handled it, so that further answers with this id are duplicates
     * @return the settlements of all deliveries of the answer
     */
    synchronized List<Settlement> complete(String id, boolean success) {
        if (success && maxIds > 0) {
            handled.add(id);
            if (handled.size() > maxIds) {
                handled.remove(handled.iterator().next());
            }
        }
        return inProgress.remove(id);
    }
}
