package io.iocluster.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.transport.Settlement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * The ids of answers that are in hand, and the last of those that were handled. Safe for use by several threads.
 */
final class AnswerDeduplicator {

    private final int most;

    @GuardedBy("this")
    private final Map<String, List<Settlement>> inHand = new HashMap<>();

    @GuardedBy("this")
    private final LinkedHashSet<String> handled = new LinkedHashSet<>();

    /** What is to be done with an answer. */
    enum AnswerState {
        /** It is new: hand it over, and say how that {@linkplain AnswerDeduplicator#complete ended}. */
        NEW,
        /** It was handled before: acknowledge it. */
        ALREADY_HANDLED,
        /** The same one is in hand: its settlement is kept until that has ended. */
        IN_PROGRESS
    }

    /** A memory of so many ids. */
    AnswerDeduplicator(int most) {
        this.most = most;
    }

    synchronized AnswerState register(String id, Settlement settlement) {
        if (handled.contains(id)) {
            return AnswerState.ALREADY_HANDLED;
        }
        List<Settlement> joined = inHand.get(id);
        if (joined != null) {
            joined.add(settlement);
            return AnswerState.IN_PROGRESS;
        }
        List<Settlement> alone = new ArrayList<>(1);
        alone.add(settlement);
        inHand.put(id, alone);
        return AnswerState.NEW;
    }

    /**
     * It is out of hand.
     *
     * @param well whether it was handled, and so need not be again
     * @return the settlements that wait for it
     */
    synchronized List<Settlement> complete(String id, boolean well) {
        if (well && most > 0) {
            handled.add(id);
            if (handled.size() > most) {
                handled.remove(handled.iterator().next());
            }
        }
        return inHand.remove(id);
    }
}
