package io.iocluster.lab.load.experiment;

import io.iocluster.lab.load.experiment.Expectation.Comparison;
import io.iocluster.lab.load.experiment.Expectation.Kind;
import io.iocluster.lab.load.experiment.Expectation.Metric;
import io.iocluster.node.config.binding.NearestName;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses one expectation. Confined to one parse. */
final class ExpectationParser {

    private static final Duration MAX_WITHIN = Duration.ofDays(1);
    private static final Pattern CONDITION = Pattern.compile("(?<left>.*?)\\s*(?<op><=|>=|<|>)\\s*(?<right>[^<>=]*)");
    /** PromQL may contain operators, so the last one outside its parentheses counts. */
    private static final Pattern FUNCTION_CONDITION =
            Pattern.compile("(?<left>(?:promql|metric)\\(.*\\).*?)\\s*(?<op><=|>=|<|>)\\s*(?<right>[^<>=()]*)");

    private static final Pattern PERCENTILE =
            Pattern.compile("(?:(queue|wait|attempt)\\.)?p(\\d{1,2}(?:\\.\\d{1,3})?)");
    private static final Pattern FUNCTION = Pattern.compile("(promql|metric)\\((.*)\\)");
    private static final Pattern SCOPE = Pattern.compile("(?<metric>(?:promql|metric)\\(.*\\)|\\S+)(?<scope>.*)");
    private static final Map<String, Kind> FIGURES = figures();

    private final String text;

    ExpectationParser(String text) {
        this.text = text.trim();
    }

    private static Map<String, Kind> figures() {
        Map<String, Kind> figures = new LinkedHashMap<>();
        figures.put("mean", Kind.MEAN);
        figures.put("max", Kind.MAX);
        figures.put("error-share", Kind.ERROR_SHARE);
        figures.put("errors", Kind.ERRORS);
        figures.put("unanswered", Kind.UNANSWERED);
        figures.put("rate", Kind.RATE);
        figures.put("rate-share", Kind.RATE_SHARE);
        figures.put("best-rate", Kind.BEST_RATE);
        figures.put("lag", Kind.LAG);
        figures.put("lag-messages", Kind.LAG_MESSAGES);
        return figures;
    }

    Expectation parse() {
        boolean function = text.startsWith("promql(") || text.startsWith("metric(");
        Matcher condition = (function ? FUNCTION_CONDITION : CONDITION).matcher(text);
        if (!condition.matches()) {
            throw wrong("is not a condition such as \"p99 < 300ms\" or \"lag in peak < 1s within 60s\"");
        }
        Matcher scoped = SCOPE.matcher(condition.group("left"));
        if (!scoped.matches()) {
            throw wrong("has no metric before the operator");
        }
        Metric metric = metric(scoped.group("metric"));
        String[] scope = scope(scoped.group("scope").trim());
        if (scope[0] != null && !metric.isOfRequests()) {
            throw wrong("must not have \"of\", because the metric is not of single requests");
        }
        String right = condition.group("right").trim();
        Duration within = null;
        int word = right.indexOf(" within ");
        if (word >= 0) {
            within = duration(right.substring(word + " within ".length()).trim());
            if (within.isNegative() || within.compareTo(MAX_WITHIN) > 0) {
                throw wrong("must have a time from 0s to " + DurationText.format(MAX_WITHIN) + " after \"within\"");
            }
            right = right.substring(0, word).trim();
            if (!metric.isSampled()) {
                throw wrong("must not have \"within\", which is for lag, lag-messages, metric(…) and promql(…)");
            }
        }
        return new Expectation(
                text,
                metric,
                scope[0],
                scope[1],
                comparison(condition.group("op")),
                value(metric.kind(), right),
                within);
    }

    private Metric metric(String name) {
        Matcher function = FUNCTION.matcher(name);
        if (function.matches()) {
            String argument = function.group(2).trim();
            if (argument.isEmpty()) {
                throw wrong("has nothing between the parentheses of " + function.group(1));
            }
            return new Metric(function.group(1).equals("promql") ? Kind.PROMQL : Kind.NAMED, 0, argument);
        }
        Matcher percentile = PERCENTILE.matcher(name);
        if (percentile.matches()) {
            double value = Double.parseDouble(percentile.group(2));
            if (value <= 0) {
                throw wrong("has a percentile of 0; use a percentile such as p50 or p99.9");
            }
            return new Metric(percentileKind(percentile.group(1)), value, null);
        }
        Kind kind = FIGURES.get(name);
        if (kind == null) {
            List<String> known = new ArrayList<>(FIGURES.keySet());
            known.add("p99");
            throw wrong("has the unknown metric \"" + name + "\"" + NearestName.hint(name, known)
                    + "; use a percentile such as p99, queue.p99, wait.p99 or attempt.p99, one of "
                    + String.join(", ", FIGURES.keySet()) + ", metric(NAME) or promql(QUERY)");
        }
        return new Metric(kind, 0, null);
    }

    private static Kind percentileKind(String share) {
        if (share == null) {
            return Kind.PERCENTILE;
        }
        return switch (share) {
            case "queue" -> Kind.QUEUE_PERCENTILE;
            case "wait" -> Kind.WAIT_PERCENTILE;
            default -> Kind.ATTEMPT_PERCENTILE;
        };
    }

    /** Returns the request and the phase, each may be null. */
    private String[] scope(String words) {
        String[] scope = new String[2];
        String[] parts = words.isEmpty() ? new String[0] : words.split("\\s+");
        for (int i = 0; i < parts.length; i += 2) {
            int index = parts[i].equals("of") ? 0 : parts[i].equals("in") ? 1 : -1;
            if (index < 0 || i + 1 == parts.length || scope[index] != null) {
                throw wrong("has \"" + words + "\" after the metric; use \"of REQUEST\" and \"in PHASE\"");
            }
            scope[index] = parts[i + 1];
        }
        return scope;
    }

    private static Comparison comparison(String symbol) {
        return switch (symbol) {
            case "<" -> Comparison.LESS;
            case "<=" -> Comparison.LESS_OR_EQUAL;
            case ">" -> Comparison.GREATER;
            default -> Comparison.GREATER_OR_EQUAL;
        };
    }

    private double value(Kind kind, String value) {
        return switch (kind.unit()) {
            case MILLIS -> duration(value).toMillis();
            case SHARE ->
                value.endsWith("%")
                        ? number(value.substring(0, value.length() - 1).trim()) / 100
                        : number(value);
            case COUNT, NUMBER -> number(value);
            case PER_SECOND -> rate(value);
        };
    }

    private Duration duration(String value) {
        try {
            return DurationText.parse(value);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    "has a value that is " + invalid.getMessage() + " (in: " + text + ")", invalid);
        }
    }

    private double rate(String value) {
        try {
            Rate rate = Rate.parse(value);
            if (!rate.isUnlimited()) {
                return Phase.perSecond(rate);
            }
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    "has a value that is " + invalid.getMessage() + " (in: " + text + ")", invalid);
        }
        throw wrong("must compare with a rate such as 200/s");
    }

    private double number(String value) {
        try {
            double number = Double.parseDouble(value);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException invalid) {
            throw new IllegalArgumentException("must compare with a number, not \"" + value + "\": " + text, invalid);
        }
        throw wrong("must compare with a number");
    }

    private IllegalArgumentException wrong(String problem) {
        return new IllegalArgumentException(problem + ": " + text);
    }
}
