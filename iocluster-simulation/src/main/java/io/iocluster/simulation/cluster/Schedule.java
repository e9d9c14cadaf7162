package io.iocluster.simulation.cluster;

import io.iocluster.simulation.broker.SimulatedBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Everything that happens in a run, apart from what the order of tasks decides. A seed gives a schedule; a smaller one may still show a
 * violation.
 *
 * <p>Each seed uses only some hosts and some kinds of faults: swarm testing (Groce et al. 2012) finds more than runs that mix everything.
 */
public record Schedule(
        long seed, int nodes, NodeSize size, long endMillis, List<PlannedCall> calls, List<Fault> faults) {

    private static final List<String> APPS = List.of("shop", "billing");
    private static final List<String> STEADY_HOSTS = List.of("fast.example", "slow.example", "flaky.example");
    private static final int RESOURCES = 3;
    private static final long MIN_MILLIS = 3_000;
    private static final long MAX_MILLIS = 12_000;
    private static final long BESIDE_MILLIS = 10_000;
    private static final int MAX_FAULTS = 6;
    private static final int MAX_DISTURBANCES = 3;

    public Schedule {
        calls = List.copyOf(calls);
        faults = List.copyOf(faults);
    }

    /** Returns the schedule of a seed. */
    public static Schedule of(long seed) {
        return new Draw(new SplittableRandom(seed)).schedule(seed);
    }

    /** Returns a schedule of two nodes without faults and with this many GET requests a second, to measure the simulation. */
    public static Schedule steady(int perSecond, Duration time) {
        NodeSize size = new NodeSize(2, 1_000, 1_000, 10_000, 64, Duration.ofSeconds(30), 0);
        SplittableRandom random = new SplittableRandom(perSecond);
        List<PlannedCall> calls = new ArrayList<>();
        for (long i = 0; i < perSecond * time.toSeconds(); i++) {
            String host = STEADY_HOSTS.get(random.nextInt(STEADY_HOSTS.size()));
            calls.add(get("c" + i, i * 1_000 / perSecond, host));
        }
        return new Schedule(0, 2, size, time.toMillis(), calls, List.of());
    }

    /**
     * Returns a schedule of one node with default limits, a healthy destination, and up to four bad ones.
     *
     * @param alone whether the bad ones are not called
     */
    public static Schedule beside(long seed, boolean alone) {
        SplittableRandom random = new SplittableRandom(seed);
        NodeSize size = new NodeSize(2, 300, 1_000, 2_000, 256, Duration.ofSeconds(30), 0);
        List<PlannedCall> calls =
                stream("good", List.of(SimulatedTargets.HEALTHY), 100 + random.nextInt(300), random.split());
        List<String> bad =
                SimulatedTargets.BAD.subList(random.nextInt(SimulatedTargets.BAD.size()), SimulatedTargets.BAD.size());
        List<PlannedCall> others = stream("bad", bad, 100 + random.nextInt(500), random.split());
        if (!alone) {
            calls.addAll(others);
            calls.sort(Comparator.comparingLong(PlannedCall::atMillis));
        }
        return new Schedule(
                seed,
                1,
                size,
                BESIDE_MILLIS,
                calls,
                List.of(
                        bad("hanging.example", Fault.Kind.TARGET_HANGS),
                        bad("failing.example", Fault.Kind.TARGET_FAILS),
                        bad("busy.example", Fault.Kind.TARGET_BUSY)));
    }

    private static Fault bad(String host, Fault.Kind kind) {
        return new Fault(kind, 0, BESIDE_MILLIS, 0, host, 0);
    }

    /** Returns the calls of a Poisson process. */
    private static List<PlannedCall> stream(String name, List<String> hosts, int perSecond, SplittableRandom random) {
        List<PlannedCall> calls = new ArrayList<>();
        double at = 0;
        while (at < BESIDE_MILLIS) {
            at += -Math.log(1 - random.nextDouble()) * 1_000 / perSecond;
            calls.add(get(name + calls.size(), (long) at, hosts.get(random.nextInt(hosts.size()))));
        }
        return calls;
    }

    private static PlannedCall get(String id, long atMillis, String host) {
        return new PlannedCall(
                id,
                atMillis,
                APPS.get(0),
                List.of("https://" + host + "/"),
                null,
                "GET",
                0,
                0,
                0,
                false,
                null,
                "always",
                PlannedCall.Flaw.NONE);
    }

    /** Returns a schedule with other calls and faults. */
    public Schedule with(List<PlannedCall> otherCalls, List<Fault> otherFaults) {
        return new Schedule(seed, nodes, size, endMillis, otherCalls, otherFaults);
    }

    /** Returns whether a fault of these kinds happens. */
    public boolean has(Fault.Kind... kinds) {
        return faults.stream().anyMatch(fault -> Arrays.asList(kinds).contains(fault.kind()));
    }

    /** Draws one schedule. */
    private static final class Draw {

        private final SplittableRandom random;
        private final long end;
        private final int nodes;
        private final List<String> hosts;
        private final List<Fault.Kind> kinds;
        private final boolean scatters;
        private final boolean shortDeadlines;

        Draw(SplittableRandom random) {
            this.random = random;
            this.end = random.nextLong(MIN_MILLIS, MAX_MILLIS);
            this.nodes = 1 + random.nextInt(3);
            this.hosts = some(SimulatedTargets.HOSTS);
            this.kinds = some(List.of(Fault.Kind.values()));
            this.scatters = random.nextInt(3) == 0;
            this.shortDeadlines = random.nextBoolean();
        }

        /** Returns each item with a probability of a half, and at least one. */
        private <T> List<T> some(List<T> all) {
            List<T> some = new ArrayList<>();
            for (T each : all) {
                if (random.nextBoolean()) {
                    some.add(each);
                }
            }
            return some.isEmpty() ? List.of(one(all)) : some;
        }

        private <T> T one(List<T> of) {
            return of.get(random.nextInt(of.size()));
        }

        private boolean oneIn(int number) {
            return random.nextInt(number) == 0;
        }

        Schedule schedule(long seed) {
            NodeSize size = new NodeSize(
                    1 + random.nextInt(2),
                    2 + random.nextInt(20),
                    2 + random.nextInt(30),
                    oneIn(3) ? random.nextInt(10) : 1_000,
                    oneIn(4) ? 4 : 64,
                    Duration.ofMillis(random.nextBoolean() ? 200 : 30_000),
                    oneIn(3) ? 1 + random.nextInt(4) : 0);
            return new Schedule(seed, nodes, size, end, calls(), faults());
        }

        private List<PlannedCall> calls() {
            double perSecond = 5 + Math.exp(random.nextDouble(Math.log(60)));
            List<PlannedCall> calls = new ArrayList<>();
            for (double at = pause(perSecond); at < end; at += pause(perSecond)) {
                calls.add(call("c" + calls.size(), (long) at));
            }
            return calls;
        }

        /** Returns the time until the next call of a Poisson process. */
        private double pause(double perSecond) {
            return -Math.log(1 - random.nextDouble()) * 1_000 / perSecond;
        }

        private PlannedCall call(String id, long atMillis) {
            String mode = !scatters || !oneIn(4) ? null : random.nextBoolean() ? "any" : "all";
            List<String> urls = new ArrayList<>();
            int branches = mode == null ? 1 : 2 + random.nextInt(2);
            for (int i = 0; i < branches; i++) {
                urls.add("https://" + one(hosts) + "/" + random.nextInt(RESOURCES));
            }
            int reply = random.nextInt(20);
            int flaw = random.nextInt(60);
            return new PlannedCall(
                    id,
                    atMillis,
                    one(APPS),
                    urls,
                    mode,
                    oneIn(3) ? "POST" : "GET",
                    oneIn(3) ? 0 : 100 + random.nextInt(shortDeadlines ? 1_500 : 9_000),
                    oneIn(2) ? 0 : 50 + random.nextInt(3_000),
                    oneIn(2) ? 0 : 1 + random.nextInt(4),
                    oneIn(4),
                    oneIn(4) ? one(SimulatedBroker.REPLY_QUEUES) : null,
                    reply == 0 ? "never" : reply == 1 ? "failures" : "always",
                    flaw == 0
                            ? PlannedCall.Flaw.NOT_JSON
                            : flaw == 1 ? PlannedCall.Flaw.UNKNOWN_FIELD : PlannedCall.Flaw.NONE);
        }

        private List<Fault> faults() {
            List<Fault> faults = new ArrayList<>();
            int count = random.nextInt(MAX_FAULTS + 1);
            for (int i = 0; i < count; i++) {
                faults.add(new Fault(
                        one(kinds),
                        random.nextLong(end),
                        50 + random.nextLong(end / 3),
                        random.nextInt(nodes),
                        one(hosts),
                        random.nextDouble()));
            }
            // Drawn last, so that the calls and the other faults of a seed do not depend on them.
            for (int i = random.nextInt(MAX_DISTURBANCES + 1); i > 0; i--) {
                faults.add(new Fault(
                        Fault.Kind.DISTURB_BROKER,
                        random.nextLong(end),
                        50 + random.nextLong(end / 3),
                        random.nextInt(nodes),
                        one(hosts),
                        random.nextDouble()));
            }
            faults.sort((a, b) -> Long.compare(a.atMillis(), b.atMillis()));
            return faults;
        }
    }
}
