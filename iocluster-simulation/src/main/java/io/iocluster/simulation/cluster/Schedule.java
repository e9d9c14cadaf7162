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

    /** Minimum slots for each destination that {@link #beside} calls. */
    private static final int BESIDE_MIN_SLOTS = 8;

    private static final int BESIDE_MAX_SLOTS = 300;
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
     * Returns a schedule of one node, a healthy destination whose calls need fewer slots than an equal share, and bad ones that want more
     * than all slots. They become bad one after the other or at the same time. In one of three seeds many silent hosts are called too.
     */
    public static Schedule beside(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> bad = new ArrayList<>(
                SimulatedTargets.BAD.subList(random.nextInt(SimulatedTargets.BAD.size()), SimulatedTargets.BAD.size()));
        int slots = BESIDE_MIN_SLOTS * (bad.size() + 1) + random.nextInt(BESIDE_MAX_SLOTS);
        NodeSize size = new NodeSize(2, slots, 1_000, 2_000, 256, Duration.ofSeconds(30), 0);
        long together = random.nextLong(BESIDE_MILLIS / 2);
        boolean atOnce = random.nextBoolean();
        List<Fault> faults = new ArrayList<>();
        for (Fault.Kind kind : List.of(Fault.Kind.TARGET_HANGS, Fault.Kind.TARGET_FAILS, Fault.Kind.TARGET_BUSY)) {
            long onset = atOnce ? together : random.nextLong(BESIDE_MILLIS / 2);
            faults.add(new Fault(kind, onset, BESIDE_MILLIS - onset, 0, SimulatedTargets.BAD.get(faults.size()), 0));
        }
        faults.sort(Comparator.comparingLong(Fault::atMillis));
        int goodPerSecond = perSecond(slots / (bad.size() + 1), random.nextDouble());
        List<PlannedCall> calls = stream("good", 0, List.of(SimulatedTargets.HEALTHY), goodPerSecond, random.split());
        calls.addAll(stream(
                "bad", random.nextBoolean() ? 0 : together, bad, slots * (1 + random.nextInt(3)), random.split()));
        if (random.nextInt(3) == 0) {
            calls.addAll(stream("silent", together, List.copyOf(SimulatedTargets.SILENT), slots, random.split()));
        }
        calls.sort(Comparator.comparingLong(PlannedCall::atMillis));
        return new Schedule(seed, 1, size, BESIDE_MILLIS, calls, faults);
    }

    /**
     * Returns a rate of calls to the healthy target that seldom need all of these slots: their mean number is three standard deviations
     * less, as the number of calls in flight is Poisson distributed.
     */
    private static int perSecond(int slots, double part) {
        double mean = Math.pow(Math.sqrt(slots + 2.25) - 1.5, 2);
        return (int) Math.max(1, mean * (0.3 + 0.7 * part) / SimulatedTargets.HEALTHY_MEAN_SECONDS);
    }

    /** Returns the calls of a Poisson process. */
    private static List<PlannedCall> stream(
            String name, long fromMillis, List<String> hosts, int perSecond, SplittableRandom random) {
        List<PlannedCall> calls = new ArrayList<>();
        double at = fromMillis;
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
