package io.iocluster.simulation.oracle;

import io.iocluster.http.HttpResult;
import io.iocluster.message.ErrorCode;
import io.iocluster.simulation.cluster.Cluster;
import io.iocluster.simulation.cluster.Fault;
import io.iocluster.simulation.cluster.NodeSettings;
import io.iocluster.simulation.cluster.Schedule;
import io.iocluster.simulation.cluster.SimulatedTargets;
import io.iocluster.simulation.network.Attempt;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Checks each attempt when it starts and when it ends: deadline, timeout, limits, and pauses that a target asked for. */
final class AttemptCheck {

    /** A tick of the node, the waits of its threads, and the time on the wire. */
    static final long TICK_MILLIS = 50;

    private static final int DEFAULT_MAX_ATTEMPTS = 3;
    private static final long NANOS = 1_000_000;
    private static final long SECOND_NANOS = 1_000 * NANOS;

    /** A node that was paused notices it at its next tick. */
    private static final long RESUME_MILLIS = 200;

    /** A node uses a new share 400 ms after the others know of it, each with its next tick of 100 ms. */
    private static final long SETTLE_MILLIS = 300;

    /** An attempt at each edge of the second, and one reserved before. */
    private static final int RATE_TOLERANCE = 2;

    private final Schedule schedule;
    private final Supplier<Cluster> cluster;
    private final Violations violations;
    private final Map<String, List<Attempt>> active = new HashMap<>();
    private final Map<String, Deque<Long>> rated = new HashMap<>();
    private final Map<String, Long> pausedUntil = new HashMap<>();
    private final boolean clocksStep;
    private final boolean nodesPause;

    AttemptCheck(Schedule schedule, Supplier<Cluster> cluster, Violations violations) {
        this.schedule = schedule;
        this.cluster = cluster;
        this.violations = violations;
        this.clocksStep = schedule.has(Fault.Kind.STEP_CLOCK);
        this.nodesPause = schedule.has(Fault.Kind.PAUSE_PROCESS);
    }

    void started(CallHistory call, Attempt attempt) {
        long now = attempt.startMillis();
        if (!clocksStep && now > call.deadlineMillis() + TICK_MILLIS) {
            violations.add(
                    Promise.DEADLINE,
                    "attempt of " + attempt.call() + " started after its deadline at " + call.deadlineMillis() + " ms");
        }
        if (!clocksStep && call.delayedCopies() > 0 && now < call.lastDueMillis() && call.happenedOnce()) {
            violations.add(
                    Promise.RETRY_AFTER,
                    "attempt of " + attempt.call() + " before its delayed retry was due at " + call.lastDueMillis());
        }
        checkTimeout(call, attempt);
        checkRepeats(call, attempt);
        checkRate(attempt);
        checkPause(attempt);
        checkOwnPause(call, attempt);
        List<Attempt> ofNode = active.computeIfAbsent(attempt.node(), node -> new ArrayList<>());
        ofNode.add(attempt);
        checkLimits(attempt, ofNode);
        checkDivided(attempt);
    }

    private void checkTimeout(CallHistory call, Attempt attempt) {
        long timeout = call.planned().timeoutMs();
        if (timeout > 0 && attempt.timeout().toMillis() > timeout) {
            violations.add(
                    Promise.TIMEOUT,
                    "attempt of " + attempt.call() + " has a timeout of " + attempt.timeout() + " and may have "
                            + timeout + " ms");
        }
    }

    private void checkRepeats(CallHistory call, Attempt attempt) {
        int max = call.planned().maxAttempts() == 0
                ? DEFAULT_MAX_ATTEMPTS
                : call.planned().maxAttempts();
        int hedged = attempt.host().equals(SimulatedTargets.HEDGED) ? 2 : 1;
        long made = call.attempts().stream()
                .filter(each -> each.branch() == attempt.branch() && each.node().equals(attempt.node()))
                .count();
        if (made > (long) max * hedged * Math.max(1, call.deliveriesTo(attempt.node()))) {
            violations.add(Promise.ATTEMPTS, made + " attempts of " + attempt.call() + ", which may have " + max);
        }
        boolean twice = hedged == 1
                && call.deliveriesTo(attempt.node()) == 1
                && call.attempts().stream()
                        .anyMatch(each -> each != attempt
                                && each.branch() == attempt.branch()
                                && each.node().equals(attempt.node())
                                && !each.isEnded());
        if (twice) {
            violations.add(Promise.ATTEMPTS, "two attempts of " + attempt.call() + " at the same time");
        }
    }

    private void checkRate(Attempt attempt) {
        if (attempt.host().equals(SimulatedTargets.RATED) && !nodesPause) {
            Deque<Long> starts = rated.computeIfAbsent(attempt.node(), node -> new ArrayDeque<>());
            while (!starts.isEmpty() && starts.peek() <= attempt.startNanos() - SECOND_NANOS) {
                starts.remove();
            }
            starts.add(attempt.startNanos());
            if (starts.size() > NodeSettings.RATE + RATE_TOLERANCE) {
                violations.add(Promise.LIMIT, starts.size() + " attempts in a second at " + attempt.host());
            }
        }
    }

    private void checkPause(Attempt attempt) {
        long until = pausedUntil.getOrDefault(attempt.node() + " " + attempt.host(), 0L);
        if (attempt.startNanos() < until - NANOS && !nodesPause) {
            violations.add(
                    Promise.RETRY_AFTER,
                    attempt.host() + " asked for a pause until " + until / NANOS + " ms and was called");
        }
    }

    /** Checks that the retry waits as its target asked, also on another node. */
    private void checkOwnPause(CallHistory call, Attempt attempt) {
        if (clocksStep || nodesPause || !call.happenedOnce()) {
            return;
        }
        call.attempts().stream()
                .filter(each -> each.branch() == attempt.branch() && each.isEnded())
                .forEach(each -> {
                    long until = each.endNanos() + retryAfterNanos(each);
                    if (attempt.startNanos() < until - NANOS) {
                        violations.add(
                                Promise.RETRY_AFTER,
                                "retry of " + attempt.call() + " did not wait until " + until / NANOS + " ms");
                    }
                });
    }

    /** Checks that the shares of all nodes that run do not exceed a limit that they divide. */
    void checkShares(long nowMillis) {
        int sum = cluster.get().nodes().stream()
                .filter(node -> node.share().isKnown() && !node.process().wasPausedSince(nowMillis - RESUME_MILLIS))
                .mapToInt(node -> node.share().of(NodeSettings.DIVIDED_IN_FLIGHT))
                .sum();
        if (sum > NodeSettings.DIVIDED_IN_FLIGHT) {
            violations.add(
                    Promise.CLUSTER_LIMIT, "the nodes use " + sum + " slots of " + NodeSettings.DIVIDED_IN_FLIGHT);
        }
    }

    /** Checks the attempts of all nodes. Earlier attempts may still run when the share of their node has become smaller. */
    private void checkDivided(Attempt attempt) {
        if (!attempt.host().equals(SimulatedTargets.DIVIDED) || nodesPause) {
            return;
        }
        long recent = active.values().stream()
                .flatMap(List::stream)
                .filter(each -> each.host().equals(SimulatedTargets.DIVIDED)
                        && each.startNanos() > attempt.startNanos() - SETTLE_MILLIS * NANOS)
                .count();
        if (recent > NodeSettings.DIVIDED_IN_FLIGHT) {
            violations.add(Promise.CLUSTER_LIMIT, recent + " calls in flight at " + attempt.host());
        }
    }

    private void checkLimits(Attempt attempt, List<Attempt> ofNode) {
        int max = cluster.get().maxInFlightOf(attempt.node());
        if (ofNode.size() > max) {
            violations.add(
                    Promise.LIMIT, ofNode.size() + " calls in flight on " + attempt.node() + ", max-in-flight " + max);
        }
        long limited = ofNode.stream()
                .filter(each -> each.host().equals(SimulatedTargets.LIMITED))
                .count();
        if (limited > NodeSettings.LIMITED_IN_FLIGHT) {
            violations.add(Promise.LIMIT, limited + " calls in flight at " + SimulatedTargets.LIMITED);
        }
    }

    /** Checks the quota of the app. */
    void checkQuota(Attempt attempt, Map<String, CallHistory> calls) {
        int quota = schedule.size().billingQuota();
        if (quota > 0) {
            long billing = active.get(attempt.node()).stream()
                    .map(each -> calls.get(each.call()).planned().app().equals("billing")
                            ? each.call() + "/" + each.branch()
                            : "")
                    .filter(each -> !each.isEmpty())
                    .distinct()
                    .count();
            if (billing > quota) {
                violations.add(Promise.LIMIT, billing + " calls of billing in flight, quota " + quota);
            }
        }
    }

    void ended(CallHistory call, Attempt attempt) {
        active.get(attempt.node()).remove(attempt);
        long timeout = attempt.timeout().toNanos() + TICK_MILLIS * NANOS;
        if (!nodesPause && attempt.endNanos() > attempt.startNanos() + timeout) {
            violations.add(Promise.TIMEOUT, "attempt of " + attempt.call() + " lasted longer than its timeout");
        }
        boolean timedOut = attempt.failure() == ErrorCode.TIMEOUT || attempt.failure() == ErrorCode.CONNECT_TIMEOUT;
        if (timedOut
                && attempt.endNanos() < attempt.startNanos() + attempt.timeout().toNanos() - NANOS) {
            violations.add(Promise.TIMEOUT, "attempt of " + attempt.call() + " timed out before its timeout");
        }
        if (!nodesPause && !clocksStep && attempt.endNanos() / NANOS > call.deadlineMillis() + TICK_MILLIS) {
            violations.add(Promise.DEADLINE, "attempt of " + attempt.call() + " ended after its deadline");
        }
        long pause = retryAfterNanos(attempt);
        if (pause > 0) {
            pausedUntil.merge(attempt.node() + " " + attempt.host(), attempt.endNanos() + pause, Math::max);
        }
    }

    /** Returns for how long the response asks for a pause. */
    private static long retryAfterNanos(Attempt attempt) {
        HttpResult.Response response = attempt.response();
        if (response == null || response.status() != 429 && response.status() != 503) {
            return 0;
        }
        return response.headers().stream()
                .filter(header -> header.name().equals("retry-after"))
                .mapToLong(header -> Long.parseLong(header.value()) * SECOND_NANOS)
                .findFirst()
                .orElse(0);
    }
}
