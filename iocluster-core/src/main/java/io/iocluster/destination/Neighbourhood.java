package io.iocluster.destination;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What destinations know of each other and of the node. Written by {@link Destinations#tick} and by each destination under its
 * own lock; read from any thread.
 */
final class Neighbourhood<C extends PendingCall> {

    final NodeRoom room;

    /** Those that have somebody in their line. */
    final Set<Destination<C>> lined = ConcurrentHashMap.newKeySet();

    /** Whether several were called of late, so that each has to leave room for the others. */
    volatile boolean several;

    /** Those that were called of late and have nobody waiting, so that the node should read on for them. */
    volatile Set<Destination<C>> hungry = Set.of();

    Neighbourhood(NodeRoom room) {
        this.room = room;
    }

    boolean isAnotherHungry(Destination<C> than) {
        Set<Destination<C>> all = hungry;
        return all.size() > (all.contains(than) ? 1 : 0);
    }
}
