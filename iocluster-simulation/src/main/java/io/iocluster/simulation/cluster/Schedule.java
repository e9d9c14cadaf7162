package io.iocluster.simulation.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Everything that happens in a run, apart from what the order of tasks decides. A seed gives a schedule; a smaller one may still show a
 * violation.
 *
 * @param nodes 1 to 3
 * @param maxInFlight of each node
 */
public record Schedule(
        long seed,
        int nodes,
        int threads,
        int maxInFlight,
        int maxUnconfirmed,
        Duration delayedAfter,
        long endMillis,
        List<PlannedCall> calls,
        List<Fault> faults) {

    /** The hosts that calls go to. Their policies are in {@link NodeSettings}. */
    static final List<String> HOSTS =
            List.of("fast.example", "slow.example", "flaky.example", "limited.example", "hedged.example");

    static final List<String> REPLY_QUEUES = List.of("replies-a", "replies-b");

    private static final List<String> APPS = List.of("shop", "billing");
    private static final long MIN_MILLIS = 4_000;
    private static final long MAX_MILLIS = 14_000;

    public Schedule {
        calls = List.copyOf(calls);
        faults = List.copyOf(faults);
    }

    /** Returns the schedule of a seed. */
    public static Schedule of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long end = random.nextLong(MIN_MILLIS, MAX_MILLIS);
        int nodes = 1 + random.nextInt(3);
        List<PlannedCall> calls = calls(random, end);
        List<Fault> faults = faults(random, end, nodes);
        return new Schedule(
                seed,
                nodes,
                1 + random.nextInt(2),
                2 + random.nextInt(20),
                2 + random.nextInt(30),
                Duration.ofMillis(random.nextBoolean() ? 200 : 30_000),
                end,
                calls,
                faults);
    }

    /** Returns a schedule with other calls and faults. */
    public Schedule with(List<PlannedCall> otherCalls, List<Fault> otherFaults) {
        return new Schedule(
                seed, nodes, threads, maxInFlight, maxUnconfirmed, delayedAfter, endMillis, otherCalls, otherFaults);
    }

    private static List<PlannedCall> calls(SplittableRandom random, long end) {
        double perSecond = 5 + Math.exp(random.nextDouble(Math.log(60)));
        List<PlannedCall> calls = new ArrayList<>();
        double at = 0;
        while (at < end) {
            // A Poisson process.
            at += -Math.log(1 - random.nextDouble()) * 1_000 / perSecond;
            calls.add(call(random, "c" + calls.size(), (long) at));
        }
        return calls;
    }

    private static PlannedCall call(SplittableRandom random, String id, long atMillis) {
        String mode = random.nextInt(8) > 0 ? null : random.nextBoolean() ? "any" : "all";
        List<String> hosts = new ArrayList<>();
        int branches = mode == null ? 1 : 2 + random.nextInt(2);
        for (int i = 0; i < branches; i++) {
            hosts.add(HOSTS.get(random.nextInt(HOSTS.size())));
        }
        int reply = random.nextInt(20);
        return new PlannedCall(
                id,
                atMillis,
                APPS.get(random.nextInt(APPS.size())),
                hosts,
                mode,
                random.nextInt(3) == 0 ? "POST" : "GET",
                random.nextInt(3) == 0 ? 0 : 100 + random.nextInt(8_000),
                random.nextInt(2) == 0 ? 0 : 50 + random.nextInt(3_000),
                random.nextInt(2) == 0 ? 0 : 1 + random.nextInt(4),
                random.nextInt(4) == 0,
                random.nextInt(4) > 0 ? null : REPLY_QUEUES.get(random.nextInt(REPLY_QUEUES.size())),
                reply == 0 ? "never" : reply == 1 ? "failures" : "always");
    }

    private static List<Fault> faults(SplittableRandom random, long end, int nodes) {
        List<Fault> faults = new ArrayList<>();
        int count = random.nextInt(7);
        Fault.Kind[] kinds = Fault.Kind.values();
        for (int i = 0; i < count; i++) {
            faults.add(new Fault(
                    kinds[random.nextInt(kinds.length)],
                    random.nextLong(end),
                    50 + random.nextLong(end / 3),
                    random.nextInt(nodes),
                    HOSTS.get(random.nextInt(HOSTS.size())),
                    random.nextDouble()));
        }
        faults.sort((a, b) -> Long.compare(a.atMillis(), b.atMillis()));
        return faults;
    }
}
