package io.iocluster.lab.load.experiment;

import io.iocluster.settings.HttpUrl;
import io.iocluster.settings.Rate;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Something that breaks during the run and is undone afterwards. Immutable. */
public record Fault(
        @Setting(doc = "Name of the fault, for the report.") String name,

        @Setting(
                doc =
                        "`pause-node`, `resize-node`, `pause-destination` and `limit-destination` are actions of the nodes'"
                                + " admin servers. `command` runs a program. `target` changes the behaviour of the test target.")
        Action action,

        @Setting(doc = "Phase during which the fault starts. Empty for the first one.", value = "''")
        String phase,

        @Setting(doc = "When the fault starts, from the start of the phase.", value = "0s")
        Duration at,

        @Setting(doc = "When the fault is undone. 0s for the end of the run.", value = "0s")
        Duration duration,

        @Setting(doc = "URL of the node's admin server. Empty for all of `system.nodes`.", value = "''")
        String node,

        @Setting(doc = "`pause-destination`, `limit-destination`: the destination.", value = "''")
        String destination,

        @Setting(
                doc = "`resize-node`, `limit-destination`: maximum calls in flight. 0 does not change it.",
                value = "0")
        int maxInFlight,

        @Setting(doc = "`resize-node`: number of event loops. 0 does not change it.", value = "0")
        int threads,

        @Setting(doc = "`limit-destination`: maximum rate of attempts, such as `10/s`.", value = "unlimited")
        Rate rate,

        @Setting(doc = "`command`: program and arguments. It runs in the folder of the experiment.", value = "[]")
        List<String> run,

        @Setting(doc = "`command`: program and arguments that undo the fault. Empty if it undoes itself.", value = "[]")
        List<String> undo,

        @Setting(
                doc = "`command`: time limit of each program. Then it is killed, with all that it started.",
                value = "30s")
        Duration timeout,

        @Setting(doc = "`target`: URL of the test target, such as `http://127.0.0.1:9000`.", value = "''")
        String target,

        @Setting(doc = "`target`: how the test target misbehaves.", value = "latency")
        TargetBehaviour behaviour,

        @Setting(
                doc = "`latency`: how much later each response starts. `slow-body`: how long each body takes.",
                value = "1s")
        Duration latency,

        @Setting(doc = "`status`: HTTP status of the response.", value = "503")
        int status,

        @Setting(doc = "`target`: share of the calls that are affected, from 0 to 1.", value = "1.0")
        double share) {

    private static final Duration MAX_DURATION = Duration.ofDays(7);

    public Fault {
        SettingsValidator validator = new SettingsValidator()
                .checkRange("at", at, Duration.ZERO, MAX_DURATION)
                .checkRange("duration", duration, Duration.ZERO, MAX_DURATION)
                .checkRange("latency", latency, Duration.ZERO, Duration.ofHours(1))
                .checkRange("status", status, 200, 599)
                .checkRange("max-in-flight", maxInFlight, 0, 1_000_000)
                .checkRange("threads", threads, 0, 1_024)
                .checkRange("timeout", timeout, Duration.ofMillis(1), Duration.ofHours(1))
                .check(share > 0 && share <= 1, "share", "must be more than 0 and at most 1: " + share);
        Names.check(validator, name);
        String word = action.name().toLowerCase(Locale.ROOT).replace('_', '-');
        boolean ofDestination = action == Action.PAUSE_DESTINATION || action == Action.LIMIT_DESTINATION;
        needed(validator, "destination", !destination.isEmpty(), ofDestination, word);
        boolean resizes = action == Action.RESIZE_NODE;
        boolean limits = action == Action.LIMIT_DESTINATION;
        validator
                .check(maxInFlight == 0 || resizes || limits, "max-in-flight", "is not for action " + word)
                .check(threads == 0 || resizes, "threads", "is not for action " + word)
                .check(rate.isUnlimited() || limits, "rate", "is not for action " + word)
                .check(
                        !resizes || maxInFlight > 0 || threads > 0,
                        "max-in-flight",
                        "or threads is missing, but action " + word + " needs one of them")
                .check(
                        !limits || maxInFlight > 0 || !rate.isUnlimited(),
                        "max-in-flight",
                        "or rate is missing, but action " + word + " needs one of them");
        needed(validator, "run", !run.isEmpty(), action == Action.COMMAND, word);
        needed(validator, "target", !target.isEmpty(), action == Action.TARGET, word);
        validator.check(undo.isEmpty() || action == Action.COMMAND, "undo", "is not for action " + word);
        if (!node.isEmpty()) {
            validator.checkParses("node", node, HttpUrl::check);
        }
        if (!target.isEmpty()) {
            validator.checkParses("target", target, HttpUrl::check);
        }
        validator.throwIfInvalid();
    }

    private static void needed(SettingsValidator validator, String key, boolean given, boolean needed, String action) {
        validator.check(
                given == needed,
                key,
                needed ? "is missing, but action " + action + " needs it" : "is not for action " + action);
    }

    /** What breaks. */
    public enum Action {
        PAUSE_NODE,
        RESIZE_NODE,
        PAUSE_DESTINATION,
        LIMIT_DESTINATION,
        COMMAND,
        TARGET
    }

    /** How the test target misbehaves. */
    public enum TargetBehaviour {
        LATENCY,
        STATUS,
        HANG,
        RESET,
        SLOW_BODY
    }
}
