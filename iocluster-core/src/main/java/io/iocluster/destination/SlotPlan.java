package io.iocluster.destination;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Guarantees each destination slots by its recent use. Slots are divided in three steps: among the configured destinations and
 * all others as one; among the others' addresses, with those that have not answered as one; among the hosts of an address.
 * So neither many names nor many silent hosts take the slots of another. Confined to the lock of {@link Destinations}.
 */
final class SlotPlan<C extends PendingCall> {

    /** Percentage of slots that are guaranteed; any destination may take the rest. */
    private static final int GUARANTEED_PERCENT = 88;

    private final Neighbourhood<C> neighbourhood;
    private final UnaryOperator<String> addresses;
    private final SlotGroup unanswered = new SlotGroup();
    private Map<String, SlotGroup> byAddress = new HashMap<>();
    private Set<Destination<C>> guaranteed = new HashSet<>();

    SlotPlan(Neighbourhood<C> neighbourhood, UnaryOperator<String> addresses) {
        this.neighbourhood = neighbourhood;
        this.addresses = addresses;
    }

    /** Those that have not answered yet. */
    SlotGroup unanswered() {
        return unanswered;
    }

    /** Computes the guarantees of the destinations that were called recently. */
    void draw(List<Destination<C>> called, long now, long nanosSinceLast) {
        List<SlotDemand<Destination<C>>> configured = new ArrayList<>();
        Map<SlotGroup, List<SlotDemand<Destination<C>>>> groups = new LinkedHashMap<>();
        Map<String, SlotGroup> known = new HashMap<>();
        for (Destination<C> destination : called) {
            SlotDemand<Destination<C>> demand = destination.demand(now, nanosSinceLast);
            if (destination.isConfigured()) {
                configured.add(demand);
            } else {
                SlotGroup group = group(destination, known);
                destination.join(group);
                groups.computeIfAbsent(group, first -> new ArrayList<>()).add(demand);
            }
        }
        byAddress = known;
        Set<Destination<C>> before = guaranteed;
        guaranteed = new HashSet<>();
        divide(configured, groups.values());
        before.removeAll(guaranteed);
        before.forEach(forgotten -> forgotten.guarantee(0));
    }

    private SlotGroup group(Destination<C> destination, Map<String, SlotGroup> known) {
        if (!destination.answers()) {
            return unanswered;
        }
        String address = destination.host() == null ? null : addresses.apply(destination.host());
        String key = address == null ? destination.name() : address;
        return known.computeIfAbsent(key, first -> byAddress.getOrDefault(first, new SlotGroup()));
    }

    private void divide(
            List<SlotDemand<Destination<C>>> configured, Collection<List<SlotDemand<Destination<C>>>> groups) {
        List<SlotDemand<List<SlotDemand<Destination<C>>>>> others = new ArrayList<>();
        groups.forEach(members -> others.add(SlotDemand.together(members, members)));
        int places = neighbourhood.room.places();
        int most = (int) ((long) places * neighbourhood.unconfiguredPercent / 100);
        List<SlotDemand<Destination<C>>> all = new ArrayList<>(configured);
        // All other destinations are one demand.
        all.add(SlotDemand.<Destination<C>, List<SlotDemand<Destination<C>>>>together(null, others)
                .upTo(most));
        int usual = (int) ((long) places * GUARANTEED_PERCENT / 100);
        SlotDemand.divide(all, usual, places, (demand, slots) -> {
            if (demand.who() == null) {
                divideAmongOthers(others, slots, Math.max(slots, places - held(configured)));
            } else {
                guarantee(demand.who(), slots);
            }
        });
    }

    private void divideAmongOthers(List<SlotDemand<List<SlotDemand<Destination<C>>>>> others, int slots, int most) {
        SlotDemand.divide(
                others,
                slots,
                most,
                (group, part) -> SlotDemand.divide(
                        group.who(),
                        part,
                        Math.max(part, group.held()),
                        (member, own) -> guarantee(member.who(), own)));
    }

    private static <T> int held(List<SlotDemand<T>> demands) {
        return demands.stream().mapToInt(SlotDemand::held).sum();
    }

    private void guarantee(Destination<C> destination, int slots) {
        destination.guarantee(slots);
        if (slots > 0) {
            guaranteed.add(destination);
        }
    }
}
