package io.iocluster.destination;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.egress.Origin;
import io.iocluster.testkit.time.FakeClock;
import java.util.List;
import java.util.Random;

/** Lets tests of other packages grant a permit, as a destination without limits does. */
public final class PermitGrants {

    private PermitGrants() {}

    /** Starts an attempt, if the node has a slot for it. */
    public static boolean tryStart(CallPermit permit) {
        DestinationRegistry<FakePendingCall> registry = new DestinationRegistry<>(
                List.of(),
                DestinationPolicy.DEFAULTS,
                10,
                75,
                new FakeNodeCapacity(),
                call -> {},
                host -> null,
                new FakeClock(() -> 0),
                new Random(1));
        return permit.tryStart(registry.destinationFor(new Origin("http", "any.example", 80)), 0, 1, false);
    }

    /** Records that the call waits in a queue. */
    public static void markQueued(CallPermit permit) {
        permit.markQueued();
    }
}
