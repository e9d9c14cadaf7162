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
 * So neither many names nor many silent hosts take the slots of another. Confined to the lock of {@link DestinationRegistry}.
 */
final class SlotAllocator<C extends PendingCall> {

    /** Percentage of slots that are guaranteed; any destination may take the rest. */
    private static final int GUARANTEED_PERCENT = 88;

    private final SharedCapacity<C> shared;
    private final UnaryOperator<String> addresses;
    private final SlotGroup unanswered = new SlotGroup();
    private Map<String, SlotGroup> byAddress = new HashMap<>();
    private Set<Destination<C>> guaranteed = new HashSet<>();

    SlotAllocator(SharedCapacity<C> shared, UnaryOperator<String> addresses) {
        this.shared = shared;
        this.addresses = addresses;
    }

    /** Those that have not answered yet. */
    SlotGroup unansweredGroup() {
        return unanswered;
    }

    /** Computes the guarantees of the destinations that were called recently. */
    void allocate(List<Destination<C>> called, long now, long nanosSinceLast) {
        List<SlotDemand<Destination<C>>> configured = new ArrayList<>();
        Map<SlotGroup, List<SlotDemand<Destination<C>>>> groups = new LinkedHashMap<>();
        Map<String, SlotGroup> known = new HashMap<>();
        for (Destination<C> destination : called) {
            SlotDemand<Destination<C>> demand = destination.sampleDemand(now, nanosSinceLast);
            if (destination.isConfigured()) {
                configured.add(demand);
            } else {
                SlotGroup group = group(destination, known);
                destination.joinGroup(group);
                groups.computeIfAbsent(group, first -> new ArrayList<>()).add(demand);
            }
        }
        byAddress = known;
        Set<Destination<C>> before = guaranteed;
        guaranteed = new HashSet<>();
        divide(configured, groups.values());
        before.removeAll(guaranteed);
        before.forEach(forgotten -> forgotten.setGuaranteedSlots(0));
    }

    private SlotGroup group(Destination<C> destination, Map<String, SlotGroup> known) {
        if (!destination.isResponsive()) {
            return unanswered;
        }
        String address = destination.host() == null ? null : addresses.apply(destination.host());
        String key = address == null ? destination.name() : address;
        return known.computeIfAbsent(key, first -> byAddress.getOrDefault(first, new SlotGroup()));
    }

    private void divide(
            List<SlotDemand<Destination<C>>> configured, Collection<List<SlotDemand<Destination<C>>>> groups) {
        List<SlotDemand<List<SlotDemand<Destination<C>>>>> others = new ArrayList<>();
        groups.forEach(members -> others.add(SlotDemand.sum(members, members)));
        int places = shared.node.slots();
        int most = (int) ((long) places * shared.unconfiguredPercent / 100);
        List<SlotDemand<Destination<C>>> all = new ArrayList<>(configured);
        // All other destinations are one demand.
        all.add(SlotDemand.<Destination<C>, List<SlotDemand<Destination<C>>>>sum(null, others)
                .cappedAt(most));
        int usual = (int) ((long) places * GUARANTEED_PERCENT / 100);
        SlotDemand.divide(all, usual, places, (demand, slots) -> {
            if (demand.owner() == null) {
                divideAmongOthers(others, slots, Math.max(slots, places - held(configured)));
            } else {
                guarantee(demand.owner(), slots);
            }
        });
    }

    private void divideAmongOthers(List<SlotDemand<List<SlotDemand<Destination<C>>>>> others, int slots, int most) {
        SlotDemand.divide(
                others,
                slots,
                most,
                (group, part) -> SlotDemand.divide(
                        group.owner(),
                        part,
                        Math.max(part, group.held()),
                        (member, own) -> guarantee(member.owner(), own)));
    }

    private static <T> int held(List<SlotDemand<T>> demands) {
        return demands.stream().mapToInt(SlotDemand::held).sum();
    }

    private void guarantee(Destination<C> destination, int slots) {
        destination.setGuaranteedSlots(slots);
        if (slots > 0) {
            guaranteed.add(destination);
        }
    }
}
