package io.iocluster.node.problem;

import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import io.iocluster.node.reload.ConfigurationStatus;
import io.iocluster.pipeline.PipelineState;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.pipeline.event.UnpublishedAnswers;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Derives the problems of a node from its status. */
final class ProblemDetector {

    /** A broker that has not answered a query for this long cannot be reached, although its connections are open. */
    private static final long UNANSWERED_MILLIS = 3_000;

    private ProblemDetector() {}

    /** Returns the problems, causes and consequences; empty if nothing is wrong. */
    static List<Problem> detect(NodeSnapshot node) {
        PipelineStatus pipeline = node.pipeline();
        if (pipeline.state() == PipelineState.DRAINING || pipeline.state() == PipelineState.STOPPED) {
            // The source is closed on purpose, and destinations are no longer called.
            return List.of(stopping(pipeline));
        }
        List<Problem> problems = new ArrayList<>();
        SourceStatus source = pipeline.source();
        if (!source.connected() || source.unansweredMillis() >= UNANSWERED_MILLIS) {
            problems.add(brokerUnreachable(pipeline, node.brokerAddress()));
        }
        addPauses(source.pauseReasons(), problems);
        addUnpublished(node, problems);
        if (pipeline.stuck()) {
            problems.add(problem(
                    Kind.NODE_STUCK,
                    Severity.BAD,
                    "The node is full, and no call has ended within workers.progress-timeout.",
                    "Read the log. If it does not recover, save a thread dump and restart the node."));
        }
        if (isRefused(node.configuration())) {
            problems.add(problem(
                    Kind.CONFIGURATION_REFUSED,
                    Severity.WARN,
                    "The edited configuration is refused: "
                            + String.join(
                                    "; ", node.configuration().lastReload().errors()),
                    "Correct the file or the key in Consul. The node keeps its configuration, but could not start"
                            + " again."));
        }
        node.destinations().forEach(each -> {
            FailingDestination.addProblem(each, problems);
            OperatorActions.addProblems(each.status(), problems);
            DividedLimits.addProblems(each.status(), problems);
            SlowDestination.addProblem(each, problems);
        });
        MissingUpstreams.addProblems(node.upstreams(), problems);
        UnusableSharedCache.addProblem(node.sharedCache(), problems);
        UnansweredMessages.addProblems(node.codes(), problems);
        AppProblems.add(node.apps(), node.grownApps(), pipeline, problems);
        NodeSize.addProblem(node.tuning().advice(), node.tuning().mode(), node.destinations(), problems);
        return List.copyOf(problems);
    }

    private static Problem stopping(PipelineStatus pipeline) {
        boolean stopped = pipeline.state() == PipelineState.STOPPED;
        return problem(
                Kind.NODE_STOPPING,
                Severity.WARN,
                stopped
                        ? "The node has stopped after a drain and reads no messages."
                        : "The node drains: it finishes " + (pipeline.inFlight() + pipeline.waiting())
                                + " open calls and reads no messages.",
                "Restart its process to use it again.");
    }

    private static Problem brokerUnreachable(PipelineStatus pipeline, String address) {
        String detail = pipeline.source().problem();
        return new Problem(
                Kind.BROKER_UNREACHABLE,
                Severity.BAD,
                address,
                "The broker (" + pipeline.transport() + " at " + address + ") cannot be reached"
                        + (detail == null ? ": it does not answer." : ": " + detail.replaceFirst("\\.$", "") + ".")
                        + " No message is read. The node connects again by itself.",
                "Check that the broker runs, and that this machine reaches its address.");
    }

    private static void addPauses(Set<PauseReason> reasons, List<Problem> problems) {
        if (reasons.contains(PauseReason.BROKER_BLOCKED)) {
            problems.add(problem(
                    Kind.BROKER_BLOCKED,
                    Severity.BAD,
                    "The broker paused the node, because it is short of memory or disk.",
                    "Free memory or disk on the broker."));
        }
        if (reasons.contains(PauseReason.OPERATOR)) {
            problems.add(problem(
                    Kind.NODE_PAUSED,
                    Severity.WARN,
                    "An operator paused the node (POST /api/pause). It reads no messages.",
                    "Resume it when the reason for the pause is gone."));
        }
    }

    /** Reports the topic or queue with most of the answers, because a sender may name many. */
    private static void addUnpublished(NodeSnapshot node, List<Problem> problems) {
        boolean paused = node.pipeline().source().pauseReasons().contains(PauseReason.BACKOFF);
        if (node.unpublished().isEmpty()) {
            if (paused) {
                problems.add(problem(
                        Kind.ANSWERS_NOT_PUBLISHED,
                        Severity.BAD,
                        "The node paused itself, because its answers cannot be published.",
                        "Read the log: it names the topic or queue, and the reason."));
            }
            return;
        }
        UnpublishedAnswers most = node.unpublished().get(0);
        String topicOrQueue = switch (most.to()) {
            case REPLY_TO -> most.replyTo();
            case ANSWERS -> node.answersTo();
            case DEAD_LETTERS -> node.deadLettersTo();
        };
        problems.add(new Problem(
                Kind.ANSWERS_NOT_PUBLISHED,
                paused || most.to() != UnpublishedAnswers.To.REPLY_TO ? Severity.BAD : Severity.WARN,
                // Senders choose reply-tos, so their names are no labels of metrics.
                most.to() == UnpublishedAnswers.To.REPLY_TO ? "" : topicOrQueue,
                "Answers cannot be published to " + topicOrQueue + ": " + most.problem() + ". " + most.answers()
                        + (most.answers() == 1 ? " answer waits." : " answers wait."),
                "Repair the topic or queue, or its permissions. The node publishes again by itself; after"
                        + " answers.give-up-after it writes dead letters."));
    }

    private static boolean isRefused(ConfigurationStatus configuration) {
        return configuration.lastReload() != null && configuration.lastReload().isRefused();
    }

    private static Problem problem(Kind kind, Severity severity, String text, String action) {
        return new Problem(kind, severity, "", text, action);
    }
}
