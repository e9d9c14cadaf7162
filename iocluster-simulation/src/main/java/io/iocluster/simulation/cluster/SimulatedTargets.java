package io.iocluster.simulation.cluster;

import io.iocluster.simulation.network.Network;
import io.iocluster.simulation.network.Target;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The targets of every run. Their policies are in {@link NodeSettings}. */
public final class SimulatedTargets {

    /** Has {@link NodeSettings#LIMITED_IN_FLIGHT}. */
    public static final String LIMITED = "limited.example";

    /** Its slow calls get a second attempt. */
    public static final String HEDGED = "hedged.example";

    /** Has {@link NodeSettings#RATE}. */
    public static final String RATED = "rated.example";

    /** Its responses are stored for {@link NodeSettings#CACHE_TTL}. */
    public static final String CACHED = "cached.example";

    /** The nodes divide {@link NodeSettings#DIVIDED_IN_FLIGHT}. */
    public static final String DIVIDED = "divided.example";

    /** Answers quickly, and is called beside {@link #BAD}. */
    public static final String HEALTHY = "healthy.example";

    /** The mean time of an answer of {@link #HEALTHY}. */
    static final double HEALTHY_MEAN_SECONDS = 0.114;

    /** Takes longer than most timeouts. */
    private static final String VERY_SLOW = "tardy.example";

    /** Bad targets: {@link #VERY_SLOW} is always slow, and a fault makes the others bad. */
    static final List<String> BAD = List.of("hanging.example", "failing.example", "busy.example", VERY_SLOW);

    /** Hosts that do not answer until the faults end. */
    public static final Set<String> SILENT = IntStream.range(0, 300)
            .mapToObj(i -> "silent" + i + ".example")
            .collect(Collectors.toCollection(LinkedHashSet::new));

    static final List<String> HOSTS =
            List.of("fast.example", "slow.example", "flaky.example", LIMITED, HEDGED, RATED, CACHED, DIVIDED);

    private SimulatedTargets() {}

    static void addTo(Network network) {
        network.add(new Target("fast.example", Duration.ofMillis(5), 0, 0));
        network.add(new Target("slow.example", Duration.ofMillis(600), 0.05, 0.02));
        network.add(new Target("flaky.example", Duration.ofMillis(30), 0.3, 0.2));
        network.add(new Target(LIMITED, Duration.ofMillis(50), 0.02, 0));
        network.add(new Target(HEDGED, Duration.ofMillis(25), 0.05, 0.02));
        network.add(new Target(RATED, Duration.ofMillis(20), 0.05, 0.02));
        network.add(new Target(DIVIDED, Duration.ofMillis(60), 0.02, 0.02));
        network.add(new Target(CACHED, Duration.ofMillis(80), 0.05, 0.02));
        network.add(new Target(HEALTHY, Duration.ofMillis(100), 0, 0));
        for (String bad : BAD) {
            network.add(new Target(bad, bad.equals(VERY_SLOW) ? Duration.ofSeconds(5) : Duration.ofMillis(100), 0, 0));
        }
        for (String silent : SILENT) {
            Target target = new Target(silent, Duration.ofMillis(100), 0, 0);
            target.set(Target.State.HANGS);
            network.add(target);
        }
    }
}
