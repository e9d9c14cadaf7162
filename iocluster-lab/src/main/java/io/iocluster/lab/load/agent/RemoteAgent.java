package io.iocluster.lab.load.agent;

import io.iocluster.lab.load.agent.Messages.AgentState;
import io.iocluster.lab.load.agent.Messages.AgentStep;
import io.iocluster.lab.load.result.GeneratorResult;
import io.iocluster.lab.load.result.PhaseResult;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.result.TimePoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the driver knows about one agent. Confined to the driver's thread. */
final class RemoteAgent {

    private final String name;
    private final ClockOffset clock = new ClockOffset();
    private final Set<String> earlierInstances = new HashSet<>();
    private final SortedMap<Long, TimePoint> points = new TreeMap<>();
    private final List<String> parts = new ArrayList<>();
    private AgentState state;
    private long heardNanos;
    private RunResult result;
    private long lastSecond = -1;
    private long sent;
    private String problem;
    private boolean duplicate;

    RemoteAgent(String name) {
        this.name = name;
    }

    /** Adds a message that was received at a time of the driver's wall clock and of its nano time. */
    void heard(AgentState latest, long receivedAtMicros, long nanos) {
        if (state != null && !Objects.equals(state.instance(), latest.instance())) {
            // A new one may have replaced the earlier one, but both together send the same calls twice.
            earlierInstances.add(state.instance());
            duplicate |= earlierInstances.contains(latest.instance());
        }
        state = latest;
        heardNanos = nanos;
        // Without a run, the agent may repeat the message of another driver, whose clock may differ.
        if (latest.echo() > 0 && latest.run() != null) {
            clock.add(latest.echoSentAtMicros(), receivedAtMicros, latest.echoHeldMicros(), latest.atMicros());
        }
        if (latest.points() != null) {
            latest.points().stream()
                    .filter(point -> point.second() > lastSecond)
                    .forEach(this::add);
        }
        if (latest.step() == AgentStep.RESULT && latest.data() != null && latest.part() == parts.size()) {
            parts.add(latest.data());
            if (parts.size() == latest.parts()) {
                join();
            }
        }
    }

    private void add(TimePoint point) {
        lastSecond = point.second();
        sent += point.sent();
        points.put(point.second(), point);
    }

    private void join() {
        try {
            result = ResultParts.join(parts);
            if (result.partialReason() != null) {
                problem = result.partialReason();
            }
        } catch (IOException damaged) {
            problem = damaged.getMessage();
        }
    }

    String name() {
        return name;
    }

    /** Returns whether two processes use the name. */
    boolean isDuplicate() {
        return duplicate;
    }

    AgentState state() {
        return state;
    }

    ClockOffset clock() {
        return clock;
    }

    /** Returns the time since the last message. */
    long silentNanos(long now) {
        return now - heardNanos;
    }

    /** Returns the number of parts of the result that have arrived. */
    int receivedParts() {
        return parts.size();
    }

    /** Returns the result; null until all its parts have arrived. */
    RunResult result() {
        return result;
    }

    /** Returns the seconds that the driver has not merged. */
    SortedMap<Long, TimePoint> points() {
        return points;
    }

    /** Returns the last second that has arrived; earlier ones that are missing are lost. Returns -1 before the first one. */
    long lastSecond() {
        return lastSecond;
    }

    /** Ends the part of the agent in the run. Only the first reason counts. */
    void fail(String why) {
        if (problem == null) {
            problem = why;
        }
    }

    /** Returns why the share of the agent is incomplete; null if it is not. */
    String problem() {
        return problem;
    }

    /** Returns whether nothing more will come from the agent. */
    boolean isOver() {
        return result != null || problem != null;
    }

    GeneratorResult.Agent summary() {
        long calls = result == null
                ? sent
                : result.phases().stream().mapToLong(PhaseResult::sent).sum();
        return new GeneratorResult.Agent(
                name, state.host(), clock.micros() / 1e3, clock.errorMicros() / 1e3, calls, problem);
    }
}
