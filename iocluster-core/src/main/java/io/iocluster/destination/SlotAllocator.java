package io.iocluster.destination;

import io.iocluster.destination.share.SlotDemand;
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
 * Guarantees slots to each destination by its recent usage. Confined to the lock of {@link DestinationRegistry}.
 *
 * <p>Slots are divided in three steps: among the configured destinations, with all others as one; then among the
 * addresses of the others, with those that have not answered as one; then among the hosts of an address. So neither
 * many names nor many silent hosts take the slots of another destination. Of the slots that are not guaranteed, all
 * silent hosts of an address take no more than one host, so a new host finds some free. The others never get guarantees
 * for all slots that they {@linkplain SharedCapacity#maxUnconfigured may hold}, so some stay free for a new host there too.
 */
final class SlotAllocator<C extends PendingCall> {

    /** Percentage of slots that are guaranteed; any destination may take the rest. */
    private static final int GUARANTEED_PERCENT = 88;

    private final SharedCapacity<C> shared;
    private final UnaryOperator<String> addresses;
    private final Held unanswered = new Held();
    private Map<String, Held> byAddress = new HashMap<>();
    private Set<Destination<C>> guaranteed = new HashSet<>();

    SlotAllocator(SharedCapacity<C> shared, UnaryOperator<String> addresses) {
        this.shared = shared;
        this.addresses = addresses;
    }

    /** Returns the group of the destinations that have not answered and whose address is not known. */
    Held unansweredGroup() {
        return unanswered;
    }

    /** Computes the guarantees of the destinations that were called recently. */
    void allocate(List<Destination<C>> called, long now, long nanosSinceLast) {
        List<SlotDemand<Destination<C>>> configured = new ArrayList<>();
        Map<Held, List<SlotDemand<Destination<C>>>> groups = new LinkedHashMap<>();
        Map<String, Held> known = new HashMap<>();
        for (Destination<C> destination : called) {
            SlotDemand<Destination<C>> demand = destination.sampleDemand(now, nanosSinceLast);
            if (destination.isConfigured()) {
                configured.add(demand);
            } else {
                Held group = group(destination, known);
                destination.joinGroup(group);
                groups.computeIfAbsent(destination.isResponsive() ? group : unanswered, first -> new ArrayList<>())
                        .add(demand);
            }
        }
        byAddress = known;
        Set<Destination<C>> before = guaranteed;
        guaranteed = new HashSet<>();
        divide(configured, groups.values());
        before.removeAll(guaranteed);
        before.forEach(destination -> destination.setGuaranteedSlots(0));
    }

    private Held group(Destination<C> destination, Map<String, Held> known) {
        String address = destination.host() == null ? null : addresses.apply(destination.host());
        String key;
        if (destination.isResponsive()) {
            key = address == null ? destination.name() : address;
        } else if (address == null) {
            return unanswered;
        } else {
            key = "unanswered " + address;
        }
        return known.computeIfAbsent(key, first -> byAddress.getOrDefault(first, new Held()));
    }

    private void divide(
            List<SlotDemand<Destination<C>>> configured, Collection<List<SlotDemand<Destination<C>>>> groups) {
        List<SlotDemand<List<SlotDemand<Destination<C>>>>> others = new ArrayList<>();
        groups.forEach(members -> others.add(SlotDemand.sum(members, members)));
        int allSlots = shared.node.slots();
        int max = (int) ((long) shared.maxUnconfigured() * GUARANTEED_PERCENT / 100);
        List<SlotDemand<Destination<C>>> all = new ArrayList<>(configured);
        // All other destinations count as one demand, without an owner.
        all.add(SlotDemand.<Destination<C>, List<SlotDemand<Destination<C>>>>sum(null, others)
                .cappedAt(max));
        int guaranteedSlots = (int) ((long) allSlots * GUARANTEED_PERCENT / 100);
        SlotDemand.divide(all, guaranteedSlots, allSlots, (demand, slots) -> {
            if (demand.owner() == null) {
                divideAmongOthers(others, slots, Math.max(slots, demand.held()));
            } else {
                guarantee(demand.owner(), slots);
            }
        });
    }

    private void divideAmongOthers(List<SlotDemand<List<SlotDemand<Destination<C>>>>> others, int slots, int max) {
        SlotDemand.divide(
                others,
                slots,
                max,
                (group, part) -> SlotDemand.divide(
                        group.owner(),
                        part,
                        Math.max(part, group.held()),
                        (member, own) -> guarantee(member.owner(), own)));
    }

    private void guarantee(Destination<C> destination, int slots) {
        destination.setGuaranteedSlots(slots);
        if (slots > 0) {
            guaranteed.add(destination);
        }
    }
}
