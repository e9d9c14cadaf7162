package io.iocluster.destination.share;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;

/**
 * How many slots a destination or group could use, and for how long each call holds one.
 *
 * @param wanted slots
 * @param held slots that its calls hold now
 * @param holdNanos mean time from the start of a call to its end; includes calls that have not ended
 */
public record SlotDemand<T>(T owner, int wanted, int held, double holdNanos) {

    /**
     * Divides slots. The first half is divided evenly: of s slots and n demands, each gets what it wants or at least s / 2n, and at least
     * one if there are enough (max-min fairness; Bertsekas and Gallager, <i>Data Networks</i>, 1992, section 6.5). The other half goes first
     * to the demands whose calls hold a slot for the shortest time (the cµ rule; Cox and Smith, <i>Queues</i>, 1961). There a slot serves the
     * most calls, and a failing destination gets fewer slots with each call that does not end. Slots that a demand holds beyond its part
     * are not available to others. With fewer slots than demands none gets a part, because a slot that one does not use would starve another;
     * they take turns.
     *
     * @param slots number of slots to divide
     * @param max number of all slots. Those beyond {@code slots} make up for demands that hold more than their part
     * @param granted receives each demand with its slots
     */
    public static <T> void divide(
            List<SlotDemand<T>> demands, int slots, int max, ObjIntConsumer<SlotDemand<T>> granted) {
        if (level(demands, slots) == 0) {
            demands.forEach(demand -> granted.accept(demand, 0));
            return;
        }
        Map<SlotDemand<T>, Integer> parts = parts(demands, slots);
        List<SlotDemand<T>> within = new ArrayList<>();
        int left = max;
        for (SlotDemand<T> demand : demands) {
            if (demand.held() > parts.get(demand)) {
                left -= demand.held();
                granted.accept(demand, parts.get(demand));
            } else {
                within.add(demand);
            }
        }
        if (within.size() == demands.size()) {
            demands.forEach(demand -> granted.accept(demand, parts.get(demand)));
        } else {
            divide(within, Math.max(0, Math.min(slots, left)), left, granted);
        }
    }

    private static <T> Map<SlotDemand<T>, Integer> parts(List<SlotDemand<T>> demands, int slots) {
        int level = Math.max(1, level(demands, slots / 2));
        int left = slots;
        for (SlotDemand<T> demand : demands) {
            left -= Math.min(demand.wanted(), level);
        }
        List<SlotDemand<T>> quickestFirst = new ArrayList<>(demands);
        quickestFirst.sort(Comparator.comparingDouble(SlotDemand::holdNanos));
        Map<SlotDemand<T>, Integer> parts = new IdentityHashMap<>();
        for (SlotDemand<T> demand : quickestFirst) {
            int evenly = Math.min(demand.wanted(), level);
            int more = Math.min(demand.wanted() - evenly, left);
            left -= more;
            parts.put(demand, evenly + more);
        }
        return parts;
    }

    /** Returns the highest number of slots per demand for which the sum does not exceed the available slots. */
    private static <T> int level(List<SlotDemand<T>> demands, int slots) {
        int[] wanted = demands.stream().mapToInt(SlotDemand::wanted).sorted().toArray();
        int left = slots;
        for (int i = 0; i < wanted.length; i++) {
            int level = left / (wanted.length - i);
            if (wanted[i] > level) {
                return level;
            }
            left -= wanted[i];
        }
        return Integer.MAX_VALUE;
    }

    /** Returns a copy that wants at most this many slots. */
    public SlotDemand<T> cappedAt(int max) {
        return new SlotDemand<>(owner, Math.min(max, wanted), held, holdNanos);
    }

    /** Returns the sum of several demands, with the mean of their hold times weighted by the wanted slots. */
    public static <T, M> SlotDemand<T> sum(T owner, List<SlotDemand<M>> members) {
        long wanted = 0;
        int held = 0;
        double weighted = 0;
        for (SlotDemand<M> member : members) {
            wanted += member.wanted();
            held += member.held();
            weighted += member.holdNanos() * member.wanted();
        }
        return new SlotDemand<>(
                owner, (int) Math.min(Integer.MAX_VALUE, wanted), held, wanted == 0 ? 0 : weighted / wanted);
    }
}
