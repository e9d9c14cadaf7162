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
final class RecentIds {

    private final int most;

    @GuardedBy("this")
    private final Map<String, List<Settlement>> inHand = new HashMap<>();

    @GuardedBy("this")
    private final LinkedHashSet<String> handled = new LinkedHashSet<>();

    /** What is to be done with an answer. */
    enum Verdict {
        /** It is new: hand it over, and say how that {@linkplain RecentIds#ended ended}. */
        HAND_OVER,
        /** It was handled before: acknowledge it. */
        HANDLED,
        /** The same one is in hand: its settlement is kept until that has ended. */
        JOINED
    }

    /** A memory of so many ids. */
    RecentIds(int most) {
        this.most = most;
    }

    synchronized Verdict begin(String id, Settlement settlement) {
        if (handled.contains(id)) {
            return Verdict.HANDLED;
        }
        List<Settlement> joined = inHand.get(id);
        if (joined != null) {
            joined.add(settlement);
            return Verdict.JOINED;
        }
        List<Settlement> alone = new ArrayList<>(1);
        alone.add(settlement);
        inHand.put(id, alone);
        return Verdict.HAND_OVER;
    }

    /**
     * It is out of hand.
     *
     * @param well whether it was handled, and so need not be again
     * @return the settlements that wait for it
     */
    synchronized List<Settlement> ended(String id, boolean well) {
        if (well && most > 0) {
            handled.add(id);
            if (handled.size() > most) {
                handled.remove(handled.iterator().next());
            }
        }
        return inHand.remove(id);
    }
}
