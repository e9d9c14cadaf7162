package io.iocluster.lab.load.fault;

import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.experiment.Fault;
import io.iocluster.node.cli.admin.AdminClient;
import io.iocluster.testkit.target.TargetFault;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts the faults of an experiment. Confined to one thread at a time. */
public final class ExperimentFaults implements FaultInjector {

    private final ExperimentFile file;
    private final Map<String, String> environment;

    /** @param environment variables, of which one may hold the token of the admin servers */
    public ExperimentFaults(ExperimentFile file, Map<String, String> environment) {
        this.file = file;
        this.environment = environment;
    }

    @Override
    public String describe(Fault fault) {
        return actions(fault).stream().map(FaultAction::description).collect(Collectors.joining("; "));
    }

    /** Starts the fault on each node that it names. If one fails, the others are undone. */
    @Override
    public ActiveFault start(Fault fault) throws IOException, InterruptedException {
        List<FaultAction> actions = actions(fault);
        for (FaultAction action : actions) {
            action.prepare();
        }
        StartedActions started = new StartedActions();
        for (FaultAction action : actions) {
            // Before the start, because a start that fails may have worked in part.
            started.add(action);
            try {
                action.apply();
            } catch (IOException | InterruptedException | RuntimeException failed) {
                String active = started.undoAfter(failed);
                if (active != null) {
                    throw new IOException(failed.getMessage() + "; " + active, failed);
                }
                throw failed;
            }
        }
        return started;
    }

    private List<FaultAction> actions(Fault fault) {
        return switch (fault.action()) {
            case PAUSE_NODE -> onNodes(fault).<FaultAction>map(NodePause::new).toList();
            case RESIZE_NODE ->
                onNodes(fault)
                        .<FaultAction>map(node -> new NodeResize(node, fault.threads(), fault.maxInFlight()))
                        .toList();
            case PAUSE_DESTINATION ->
                onNodes(fault)
                        .<FaultAction>map(node -> DestinationFault.pause(node, fault.destination(), longest(fault)))
                        .toList();
            case LIMIT_DESTINATION ->
                onNodes(fault)
                        .<FaultAction>map(node -> DestinationFault.limit(
                                node,
                                fault.destination(),
                                fault.maxInFlight(),
                                fault.rate().isUnlimited() ? "" : fault.rate().toString(),
                                longest(fault)))
                        .toList();
            case COMMAND -> List.of(new CommandFault(fault.run(), fault.undo(), file.folder(), fault.timeout()));
            case TARGET ->
                List.of(new TargetFaultAction(
                        URI.create(fault.target()), targetFault(fault), fault.name(), longest(fault)));
        };
    }

    private Stream<AdminClient> onNodes(Fault fault) {
        var system = file.experiment().system();
        String token = environment.getOrDefault(system.adminTokenVariable(), "");
        List<String> urls = fault.node().isEmpty() ? system.nodes() : List.of(fault.node());
        return urls.stream().map(url -> AdminClient.of(URI.create(url), token));
    }

    /** Returns how long the fault lasts at most: without a duration, until the end of the run. */
    private Duration longest(Fault fault) {
        return fault.duration().isZero() ? file.experiment().longestDuration() : fault.duration();
    }

    private static TargetFault targetFault(Fault fault) {
        return new TargetFault(
                TargetFault.Kind.valueOf(fault.behaviour().name()),
                (int) fault.latency().toMillis(),
                fault.status(),
                (int) Math.max(1, Math.round(fault.share() * 100)));
    }

    /** The actions of one fault that may be active. */
    private static final class StartedActions implements ActiveFault {

        private final Deque<FaultAction> actions = new ArrayDeque<>();

        void add(FaultAction action) {
            actions.push(action);
        }

        /** Undoes what was started before the failure. Returns what is still active and why; null if nothing is. */
        String undoAfter(Exception failure) {
            boolean interrupted = Thread.interrupted() || failure instanceof InterruptedException;
            try {
                undo();
                return null;
            } catch (IOException | RuntimeException further) {
                failure.addSuppressed(further);
                return further.getMessage();
            } catch (InterruptedException further) {
                interrupted = true;
                failure.addSuppressed(further);
                return "it may still be active";
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        /** Undoes each action, latest first, even if another one fails. Those that failed remain for another try. */
        @Override
        public void undo() throws IOException, InterruptedException {
            List<FaultAction> remaining = new ArrayList<>();
            List<String> failures = new ArrayList<>();
            while (!actions.isEmpty()) {
                FaultAction action = actions.pop();
                try {
                    action.undo();
                } catch (IOException | RuntimeException failed) {
                    remaining.add(0, action);
                    failures.add(action.description() + " is not undone: " + failed.getMessage());
                } catch (InterruptedException stopped) {
                    actions.push(action);
                    remaining.forEach(actions::push);
                    throw stopped;
                }
            }
            remaining.forEach(actions::push);
            if (!failures.isEmpty()) {
                throw new IOException(String.join("; ", failures));
            }
        }
    }
}
