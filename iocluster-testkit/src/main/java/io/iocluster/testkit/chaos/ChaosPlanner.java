package io.iocluster.testkit.chaos;

import io.iocluster.testkit.chaos.ChaosPlan.ScheduledFault;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * Generates the plan of a seed. The same seed and profile give the same plan on every machine and JDK. Immutable.
 */
public final class ChaosPlanner {

    private static final int NODES = 2;

    private static final int MIN_PAUSE_MILLIS = 200;
    /** Shorter than the time that a node has to release a partition, so that a rebalance alone repeats no call. */
    private static final int MAX_DEADLINE_MILLIS = 4_000;

    private static final int MIN_DEADLINE_MILLIS = 1_000;
    private static final int MIN_CLOCK_STEP_MILLIS = 1_000;
    private static final int MAX_CLOCK_STEP_MILLIS = 10_000;
    /** How long a stepped clock is shown at least. A process may notice the step after a second. */
    private static final int MIN_CLOCK_MILLIS = 1_000;

    private final ChaosProfile profile;
    private final List<FaultKind> weightedKinds;

    public ChaosPlanner(ChaosProfile profile) {
        this.profile = profile;
        this.weightedKinds = profile.faultKinds().stream()
                .sorted()
                .flatMap(kind -> Collections.nCopies(kind.weight(), kind).stream())
                .toList();
    }

    /** Returns the plan of a seed. */
    public ChaosPlan generate(long seed) {
        // java.util.Random, because its numbers are specified. Adjacent seeds start with similar numbers.
        Random random = new Random(seed);
        random.nextInt();
        List<ScheduledFault> faults = faults(random);
        return new ChaosPlan(seed, faults, calls(seed, faults, random));
    }

    private List<ScheduledFault> faults(RandomGenerator random) {
        List<ScheduledFault> faults = new ArrayList<>();
        for (int i = 0; i < profile.faultCount(); i++) {
            int at = random.nextInt(profile.durationMillis());
            faults.add(new ScheduledFault(at, fault(weightedKinds.get(random.nextInt(weightedKinds.size())), random)));
        }
        faults.sort(Comparator.comparingInt(ScheduledFault::startMillis));
        return faults;
    }

    private Fault fault(FaultKind kind, RandomGenerator random) {
        return switch (kind) {
            case KILL_NODE -> new Fault.KillNode(node(random), pause(random));
            case TERMINATE_NODE -> new Fault.TerminateNode(node(random));
            case SUSPEND_NODE -> new Fault.SuspendNode(node(random), pause(random));
            case STEP_CLOCK -> new Fault.StepClock(node(random), clockStep(random), MIN_CLOCK_MILLIS + pause(random));
            case RESIZE_NODE -> new Fault.ResizeNode(node(random), 1 + random.nextInt(4), 20 + random.nextInt(200));
            case EDIT_CONFIGURATION ->
                new Fault.EditConfiguration(node(random), draw(ConfigurationEdit.values(), random));
            case CHURN_CONSUMERS -> new Fault.ChurnConsumers(1 + random.nextInt(3), 100 + random.nextInt(600));
            case ADD_NODE -> new Fault.AddNode(pause(random));
            case RESTART_BROKER -> new Fault.RestartBroker(random.nextBoolean(), pause(random));
            case SUSPEND_BROKER -> new Fault.SuspendBroker(pause(random));
            case CUT_CONNECTIONS -> new Fault.CutConnections();
            case MOVE_LEADER -> new Fault.MoveLeader();
            case DELETE_REPLY_TO -> new Fault.DeleteReplyTo();
            case CHANGE_CALL_MIX -> new Fault.ChangeCallMix(draw(CallMix.values(), random));
        };
    }

    private List<PlannedCall> calls(long seed, List<ScheduledFault> faults, RandomGenerator random) {
        int count = profile.durationMillis() * profile.callsPerSecond() / 1_000;
        List<PlannedCall> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int at = (int) ((long) profile.durationMillis() * i / count);
            CallKind kind = callMix(faults, at).draw(random);
            boolean post = random.nextInt(4) == 0;
            int deadline = random.nextInt(3) == 0 ? between(MIN_DEADLINE_MILLIS, MAX_DEADLINE_MILLIS, random) : 0;
            calls.add(new PlannedCall("c" + seed + "-" + i, at, kind, post, deadline, random.nextInt(5) == 0));
        }
        return calls;
    }

    private static CallMix callMix(List<ScheduledFault> faults, int at) {
        CallMix callMix = CallMix.NORMAL;
        for (ScheduledFault scheduled : faults) {
            if (scheduled.startMillis() <= at && scheduled.fault() instanceof Fault.ChangeCallMix change) {
                callMix = change.callMix();
            }
        }
        return callMix;
    }

    private int pause(RandomGenerator random) {
        return between(MIN_PAUSE_MILLIS, profile.maxPauseMillis(), random);
    }

    private static int clockStep(RandomGenerator random) {
        int step = between(MIN_CLOCK_STEP_MILLIS, MAX_CLOCK_STEP_MILLIS + 1, random);
        return random.nextBoolean() ? step : -step;
    }

    private static int node(RandomGenerator random) {
        return random.nextInt(NODES);
    }

    private static int between(int min, int end, RandomGenerator random) {
        return min + random.nextInt(end - min);
    }

    private static <T> T draw(T[] values, RandomGenerator random) {
        return values[random.nextInt(values.length)];
    }
}
