package io.iocluster.simulation.oracle;

import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import io.iocluster.simulation.broker.Published;
import io.iocluster.simulation.broker.SimulatedBroker;
import io.iocluster.simulation.cluster.Fault;
import io.iocluster.simulation.cluster.NodeSettings;
import io.iocluster.simulation.cluster.PlannedCall;
import io.iocluster.simulation.cluster.PlannedCall.Flaw;
import io.iocluster.simulation.cluster.Schedule;
import io.iocluster.simulation.cluster.SimulatedTargets;
import io.iocluster.simulation.network.Attempt;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Checks the answers and dead letters of a call at the end of a run: each is there, and what it says is true. */
final class AnswerCheck {

    private static final List<String> ATTEMPT_CODES =
            List.of("timeout", "connect-timeout", "connect-refused", "connection-closed", "out-of-memory-budget");

    private static final String TOO_LARGE = ErrorCode.ANSWER_TOO_LARGE.wireName();

    private final Schedule schedule;
    private final Supplier<SimulatedBroker> broker;
    private final Violations violations;
    private final PublishTroubles troubles;
    private final Map<String, Attempt> responses;
    private final Map<String, CallHistory> calls;
    private final boolean clocksStep;

    /**
     * Creates the checks of a run.
     *
     * @param responses the attempts with a response, by its body, which is unique
     */
    AnswerCheck(
            Schedule schedule,
            Supplier<SimulatedBroker> broker,
            Violations violations,
            PublishTroubles troubles,
            Map<String, Attempt> responses,
            Map<String, CallHistory> calls) {
        this.schedule = schedule;
        this.broker = broker;
        this.violations = violations;
        this.troubles = troubles;
        this.responses = responses;
        this.calls = calls;
        this.clocksStep = schedule.has(Fault.Kind.STEP_CLOCK);
    }

    void check(CallHistory call) {
        PlannedCall planned = call.planned();
        int ends = call.answers().size() + call.deadLetters().size();
        if (ends == 0
                && !call.wasDeliveredTooOften()
                && (planned.reply().equals("always") || planned.flaw() != Flaw.NONE)) {
            violations.add(Promise.ENDS, planned.id() + " has neither an answer nor a dead letter");
        }
        if (ends > call.deliveries() + call.lostConfirms()) {
            violations.add(
                    Promise.FEW_DUPLICATES,
                    planned.id() + " has " + call.answers().size() + " answers and "
                            + call.deadLetters().size() + " dead letters after " + call.deliveries()
                            + " deliveries and " + call.lostConfirms() + " lost confirms");
        }
        if (call.happenedOnce() && ends > 1) {
            violations.add(Promise.FEW_DUPLICATES, planned.id() + " was delivered once and ended " + ends + " times");
        }
        call.deadLetters().forEach(message -> checkDeadLetter(call, message));
        call.answers().forEach(each -> checkAnswer(call, each.answer(), each.message()));
        if (!planned.isRepeatable()) {
            checkNotRepeated(call);
        }
    }

    private void checkNotRepeated(CallHistory call) {
        for (int branch = 0; branch < call.planned().urls().size(); branch++) {
            int index = branch;
            int seen = call.attempts().stream()
                    .filter(each -> each.branch() == index)
                    .mapToInt(Attempt::timesSeen)
                    .sum();
            if (seen > call.deliveries()) {
                violations.add(
                        Promise.ATTEMPTS,
                        call.planned().id() + " is not repeatable, and was seen " + seen + " times after "
                                + call.deliveries() + " deliveries");
            }
        }
    }

    private void checkDeadLetter(CallHistory call, Published message) {
        String code = message.headers().get("iocluster-error-code");
        Flaw flaw = call.planned().flaw();
        boolean expected = flaw == Flaw.NOT_JSON
                ? "malformed-envelope".equals(code)
                : call.planned().reply().equals("never")
                        || "answer-not-published".equals(code) && troubles.hadTroubleWith(message.node(), null)
                        || TOO_LARGE.equals(code) && mayBeTooLarge(call, message.node());
        if (!expected) {
            violations.add(Promise.TRUE_ANSWER, call.planned().id() + " became a dead letter with the code " + code);
        }
    }

    /** Returns whether the process has learned that the answer was too large, and the broker had such a limit. */
    private boolean mayBeTooLarge(CallHistory call, String node) {
        return broker.get().hasSmallMessages()
                && troubles.wasTooLarge(node, call.planned().id());
    }

    private void wrong(CallHistory call, String what) {
        violations.add(Promise.TRUE_ANSWER, call.planned().id() + what);
    }

    private void checkAnswer(CallHistory call, Answer answer, Published message) {
        PlannedCall planned = call.planned();
        if (!planned.id().equals(answer.id())) {
            wrong(call, " has an answer with the id " + answer.id());
        }
        if (!message.node().equals(answer.node())) {
            wrong(call, " was answered by " + message.node() + ", and the answer says " + answer.node());
        }
        if (TOO_LARGE.equals(answer.errorCode()) && mayBeTooLarge(call, message.node())) {
            return; // It replaces any other answer, without the content of that.
        }
        if (planned.flaw() != Flaw.NONE) {
            if (planned.flaw() != Flaw.UNKNOWN_FIELD || !"unknown-field".equals(answer.errorCode())) {
                wrong(call, " is flawed, and its answer says " + answer);
            }
            return;
        }
        if (!planned.context().equals(answer.context())) {
            wrong(call, " has an answer with the context " + answer.context());
        }
        if (planned.reply().equals("never")
                || planned.reply().equals("failures") && answer.outcome() == Outcome.ANSWERED) {
            wrong(call, " asked for reply: " + planned.reply() + ", and has an answer: " + answer.outcome());
        }
        checkTimes(call, answer, message);
        if (planned.mode() == null) {
            checkResult(call, answer, message.node(), 0);
        } else {
            checkScatter(call, answer, message.node());
        }
        checkAttempts(call, answer, message.node());
    }

    /** Checks an answer when it is stored: it may be in another queue only if its process had trouble with the requested one before. */
    void checkQueue(PlannedCall planned, Published message) {
        String asked = planned.replyTo() == null ? SimulatedBroker.ANSWERS : planned.replyTo();
        boolean diverted = message.queue().equals(SimulatedBroker.ANSWERS)
                && troubles.hadTroubleWith(message.node(), planned.replyTo());
        if (!message.queue().equals(asked) && !diverted) {
            violations.add(
                    Promise.REPLY_TO,
                    planned.id() + " asked for " + asked + ", and its answer is in " + message.queue());
        }
    }

    private void checkTimes(CallHistory call, Answer answer, Published message) {
        if (clocksStep || !call.happenedOnce()) {
            return;
        }
        PlannedCall planned = call.planned();
        Answer.Timing timing = answer.timing();
        long age = message.millis() - planned.atMillis();
        if (timing.queuedMs() + timing.totalMs() > age + AttemptCheck.TICK_MILLIS) {
            wrong(call, " says that it took " + timing + ", and is " + age + " ms old");
        }
        long queued = call.firstDeliveryMillis() - planned.atMillis();
        if (timing.queuedMs() < queued - AttemptCheck.TICK_MILLIS) {
            wrong(call, " says that it was queued for " + timing.queuedMs() + " ms, and it was for " + queued);
        }
        if (answer.outcome() == Outcome.EXPIRED
                && message.millis() < call.deadlineMillis() - 1
                && planned.deadlineMs() > 0) {
            wrong(call, " expired before its deadline at " + call.deadlineMillis() + " ms");
        }
    }

    private void checkScatter(CallHistory call, Answer answer, String node) {
        PlannedCall planned = call.planned();
        if (planned.mode().equals("any") && answer.outcome() == Outcome.ANSWERED) {
            if (answer.status() / 100 != 2) {
                wrong(call, " is answered by the status " + answer.status() + ", which is not usable");
            }
            checkResult(call, answer, node, answer.branch());
            return;
        }
        boolean hasResults = answer.error() == null
                || List.of("incomplete-results", "no-usable-answer").contains(answer.errorCode());
        if (!hasResults) {
            return;
        }
        if (answer.results().size() != planned.urls().size()) {
            wrong(
                    call,
                    " has " + answer.results().size() + " results of "
                            + planned.urls().size());
            return;
        }
        for (int i = 0; i < answer.results().size(); i++) {
            checkResult(call, answer.results().get(i), node, i);
        }
        boolean complete = answer.results().stream().allMatch(each -> each.outcome() == Outcome.ANSWERED);
        if (planned.mode().equals("all") && complete != (answer.outcome() == Outcome.ANSWERED)) {
            wrong(call, " says " + answer.outcome() + ", and its results say otherwise");
        }
    }

    /** Checks the result of one request: that an attempt had it. */
    private void checkResult(CallHistory call, Answer result, String node, int branch) {
        List<Attempt> attempts = relevantAttempts(call, node).stream()
                .filter(each -> each.branch() == branch)
                .toList();
        boolean cached = result.cache() != null && result.cache().hit();
        if (result.truncated()) {
            checkTruncated(call, result, node);
            return;
        }
        if (result.outcome() == Outcome.ANSWERED) {
            Attempt source = responses.get(result.text());
            if (source == null || source.response().status() != result.status()) {
                wrong(call, " has an answer that no target gave: " + result.status() + " " + shorten(result.text()));
            } else if (cached) {
                checkCached(call, result, source, branch);
            } else if (!attempts.contains(source)) {
                wrong(call, " has the answer to " + source.call() + "/" + source.branch());
            }
            return;
        }
        String code = result.errorCode();
        if (code.equals(ErrorCode.INTERNAL.wireName())) {
            violations.add(
                    Promise.NO_DEFECT,
                    call.planned().id() + ": " + result.error().message());
        }
        boolean shared = call.planned().hosts().get(branch).equals(SimulatedTargets.CACHED);
        if (!shared
                && ATTEMPT_CODES.contains(code)
                && attempts.stream()
                        .noneMatch(each -> each.failure() != null
                                && each.failure().wireName().equals(code))) {
            wrong(call, " ended with " + code + ", and no attempt did");
        }
        if (code.equals(ErrorCode.WORKER_LOST.wireName()) && !schedule.has(Fault.Kind.LOSE_WORKER)) {
            wrong(call, " ended with " + code + ", and no worker was lost");
        }
        if (result.error().sent() == SentStatus.NO && attempts.stream().anyMatch(Attempt::isSeen)) {
            boolean certain = call.happenedOnce() || call.deliveriesTo(node) == 1 && call.delayedCopies() == 0;
            if (certain) {
                wrong(call, " says sent: no, and the target saw it");
            }
        }
        if (result.error().sent() == SentStatus.MAYBE && result.attempts() == 0 && !shared) {
            wrong(call, " says sent: maybe, and had no attempt");
        }
    }

    /** Checks that some response starts with the truncated body. Several may, so the check does not identify the response. */
    private void checkTruncated(CallHistory call, Answer result, String node) {
        if (!mayBeTooLarge(call, node)) {
            wrong(call, " is truncated, and the broker did not refuse its answer as too large");
        }
        boolean given = responses.values().stream()
                .anyMatch(each -> each.response().status() == result.status()
                        && each.body().startsWith(result.text()));
        if (!given) {
            wrong(
                    call,
                    " has a truncated answer that no target gave: " + result.status() + " " + shorten(result.text()));
        }
    }

    private void checkCached(CallHistory call, Answer result, Attempt source, int branch) {
        String id = call.planned().id();
        CallHistory first = calls.get(source.call());
        if (!first.planned().app().equals(call.planned().app())) {
            violations.add(Promise.CACHE, id + " has a response that was made for another app");
        }
        if (!first.planned()
                .urls()
                .get(source.branch())
                .equals(call.planned().urls().get(branch))) {
            violations.add(Promise.CACHE, id + " has a response of another URL");
        }
        if (result.cache().ageMs() > NodeSettings.CACHE_TTL.toMillis()
                && !result.cache().stale()) {
            violations.add(
                    Promise.CACHE,
                    id + " has a response that is " + result.cache().ageMs() + " ms old");
        }
        long responseMillis = source.endNanos() / 1_000_000;
        long laterMillis = call.planned().atMillis() - responseMillis;
        if (laterMillis > NodeSettings.CACHE_TTL.toMillis() + AttemptCheck.TICK_MILLIS) {
            violations.add(Promise.CACHE, id + " was sent " + laterMillis + " ms after its response");
        }
    }

    /** Returns the attempts that the answer of a node can speak of. */
    private static List<Attempt> relevantAttempts(CallHistory call, String node) {
        return call.delayedCopies() > 0 ? call.attempts() : call.attemptsOf(node);
    }

    private void checkAttempts(CallHistory call, Answer answer, String node) {
        if (call.planned().hosts().contains(SimulatedTargets.CACHED)) {
            return; // Its attempts may be those of other calls.
        }
        int made = relevantAttempts(call, node).size();
        boolean exact = call.happenedOnce() || call.deliveriesTo(node) == 1 && call.delayedCopies() == 0;
        if (exact ? answer.attempts() != made : answer.attempts() > made) {
            wrong(call, " says " + answer.attempts() + " attempts, and made " + made);
        }
        if (answer.error() != null
                && answer.error().sent() == SentStatus.NO
                && exact
                && relevantAttempts(call, node).stream().anyMatch(Attempt::isSeen)) {
            wrong(call, " says sent: no, and a target saw it");
        }
    }

    private static String shorten(String text) {
        return text.substring(0, Math.min(80, text.length()));
    }
}
