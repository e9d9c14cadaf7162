package io.iocluster.destination;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;

/**
 * How many slots someone could use, and for how long each call holds one.
 *
 * @param wanted slots
 * @param held slots that its calls hold now
 * @param holdNanos mean time from the begin of a call to its end; calls that have not ended count
 */
record SlotDemand<T>(T who, int wanted, int held, double holdNanos) {

    /**
     * Divides slots. Half of them go evenly to all that want some, so that nobody gets nothing. The other half goes to those whose
     * calls hold a slot for the shortest time first: a slot makes the most calls there, and a destination that falls sick gets
     * fewer slots with each call that does not end. What one holds beyond its part is not there for the others.
     *
     * @param slots to be divided
     * @param most slots that there are; those beyond {@code slots} make up for what some hold beyond their parts
     * @param granted gets each demand with its slots
     */
    static <T> void divide(List<SlotDemand<T>> demands, int slots, int most, ObjIntConsumer<SlotDemand<T>> granted) {
        Map<SlotDemand<T>, Integer> parts = parts(demands, slots);
        List<SlotDemand<T>> within = new ArrayList<>();
        int left = most;
        for (SlotDemand<T> demand : demands) {
            if (demand.held() > parts.get(demand)) {
                left -= demand.held();
                granted.accept(demand, parts.get(demand));
            } else {
                within.add(demand);
            }
        }
        if (within.size() == demands.size()) {
            parts.forEach(granted::accept);
        } else {
            divide(within, Math.max(0, Math.min(slots, left)), left, granted);
        }
    }

    private static <T> Map<SlotDemand<T>, Integer> parts(List<SlotDemand<T>> demands, int slots) {
        int level = level(demands, slots / 2);
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

    /** Up to how many slots each may have, so that all together have no more than there are. */
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

    SlotDemand<T> upTo(int most) {
        return new SlotDemand<>(who, Math.min(most, wanted), held, holdNanos);
    }

    /** What several want together. */
    static <T, M> SlotDemand<T> together(T who, List<SlotDemand<M>> members) {
        long wanted = 0;
        int held = 0;
        double weighted = 0;
        for (SlotDemand<M> member : members) {
            wanted += member.wanted();
            held += member.held();
            weighted += member.holdNanos() * member.wanted();
        }
        return new SlotDemand<>(
                who, (int) Math.min(Integer.MAX_VALUE, wanted), held, wanted == 0 ? 0 : weighted / wanted);
    }
}
