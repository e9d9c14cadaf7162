package io.iocluster.lab.load.experiment;

import java.time.Duration;

/**
 * A condition on the result of a run: {@code METRIC [of REQUEST] [in PHASE] OPERATOR VALUE [within DURATION]}. Immutable.
 *
 * @param text as written
 * @param request limits the metric to one request template; null for all
 * @param phase limits the metric to one phase; null for all measured phases
 * @param threshold in the unit of the metric's {@link Kind}
 * @param within null, or how long after the phase (the run, if no phase is named) the condition may take to become true
 */
public record Expectation(
        String text,
        Metric metric,
        String request,
        String phase,
        Comparison comparison,
        double threshold,
        Duration within) {

    /**
     * Parses an expectation.
     *
     * @throws IllegalArgumentException if the text is not one; the message follows the key: "has no operator …"
     */
    public static Expectation parse(String text) {
        return new ExpectationParser(text).parse();
    }

    /**
     * Parses the condition of a search's trial, which has neither {@code in} nor {@code within}, and no metric of the nodes.
     *
     * @throws IllegalArgumentException if the text is not such a condition; the message follows the key
     */
    public static Expectation parseTrial(String text) {
        Expectation parsed = parse(text);
        if (parsed.metric.isSampled()
                || parsed.metric.kind == Kind.BEST_RATE
                || parsed.phase != null
                || parsed.within != null) {
            throw new IllegalArgumentException(
                    "must be a condition on the calls of a trial, without \"in\" and \"within\": " + text);
        }
        return parsed;
    }

    /** Returns whether the value meets the condition. */
    public boolean isMetBy(double value) {
        return comparison.holds(value, threshold);
    }

    /**
     * What an expectation compares.
     *
     * @param percentile for {@link Kind#PERCENTILE} and the percentiles of the node's share, else 0
     * @param name PromQL for {@link Kind#PROMQL}, a name of {@code metrics} for {@link Kind#NAMED}, else null
     */
    public record Metric(Kind kind, double percentile, String name) {

        /** Returns whether the metric is a series of samples instead of a figure of the calls. */
        public boolean isSampled() {
            return switch (kind) {
                case LAG, LAG_MESSAGES, PROMQL, NAMED -> true;
                default -> false;
            };
        }

        /** Returns whether an expectation can limit the metric to one request. Due calls that were not sent have no request. */
        boolean isOfRequests() {
            return !isSampled() && kind != Kind.RATE_SHARE && kind != Kind.BEST_RATE;
        }
    }

    /** The kinds of metrics, and the unit of their values. */
    public enum Kind {
        /** A percentile of the latency, in milliseconds. */
        PERCENTILE(Unit.MILLIS),
        /** A percentile of the time on the queue, in milliseconds. */
        QUEUE_PERCENTILE(Unit.MILLIS),
        /** A percentile of the time in the node without the last attempt, in milliseconds. */
        WAIT_PERCENTILE(Unit.MILLIS),
        /** A percentile of the duration of the last attempt, in milliseconds. */
        ATTEMPT_PERCENTILE(Unit.MILLIS),
        /** The mean of the latency, in milliseconds. */
        MEAN(Unit.MILLIS),
        /** The longest latency, in milliseconds. */
        MAX(Unit.MILLIS),
        /** Errors divided by ended calls. */
        ERROR_SHARE(Unit.SHARE),
        /** Number of errors. */
        ERRORS(Unit.COUNT),
        /** Number of calls without an answer at the end. */
        UNANSWERED(Unit.COUNT),
        /** Calls that were sent, per second. */
        RATE(Unit.PER_SECOND),
        /** Calls that were sent, divided by those that were due. */
        RATE_SHARE(Unit.SHARE),
        /** Highest rate that a search found, in calls per second. */
        BEST_RATE(Unit.PER_SECOND),
        /** Age of the oldest message on the queue of requests, in milliseconds. */
        LAG(Unit.MILLIS),
        /** Number of messages on the queue of requests. */
        LAG_MESSAGES(Unit.COUNT),
        /** The value of a PromQL query. */
        PROMQL(Unit.NUMBER),
        /** The value of an entry of {@code metrics}. */
        NAMED(Unit.NUMBER);

        private final Unit unit;

        Kind(Unit unit) {
            this.unit = unit;
        }

        public Unit unit() {
            return unit;
        }
    }

    /** The units of thresholds. */
    public enum Unit {
        MILLIS,
        SHARE,
        COUNT,
        PER_SECOND,
        NUMBER
    }

    /** The operators. */
    public enum Comparison {
        LESS,
        LESS_OR_EQUAL,
        GREATER,
        GREATER_OR_EQUAL;

        boolean holds(double value, double threshold) {
            return switch (this) {
                case LESS -> value < threshold;
                case LESS_OR_EQUAL -> value <= threshold;
                case GREATER -> value > threshold;
                case GREATER_OR_EQUAL -> value >= threshold;
            };
        }
    }
}
