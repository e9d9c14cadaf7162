package io.iocluster.lab.load.agent;

import io.iocluster.lab.load.result.TimePoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** Merges the intervals of several agents. Percentiles cannot be merged without the values, so the highest one counts. */
final class PointMerge {

    private PointMerge() {}

    /** Merges points of the same interval, at least one. */
    static TimePoint merge(List<TimePoint> points) {
        TimePoint first = points.get(0);
        return new TimePoint(
                first.second(),
                first.phase(),
                sum(points, TimePoint::due),
                sum(points, TimePoint::sent),
                sum(points, TimePoint::ended),
                sum(points, TimePoint::errors),
                sum(points, TimePoint::outstanding),
                highest(points, TimePoint::p50Millis),
                highest(points, TimePoint::p90Millis),
                highest(points, TimePoint::p99Millis),
                points.stream().mapToDouble(TimePoint::maxMillis).max().orElse(0));
    }

    /** Merges the series of several agents. */
    static List<TimePoint> mergeSeries(List<List<TimePoint>> series) {
        TreeMap<Long, List<TimePoint>> bySecond = series.stream()
                .flatMap(List::stream)
                .collect(Collectors.groupingBy(
                        TimePoint::second, TreeMap::new, Collectors.toCollection(ArrayList::new)));
        return bySecond.values().stream().map(PointMerge::merge).toList();
    }

    private static long sum(List<TimePoint> points, ToLongFunction<TimePoint> figure) {
        return points.stream().mapToLong(figure).sum();
    }

    private static Double highest(List<TimePoint> points, Function<TimePoint, Double> figure) {
        return points.stream()
                .map(figure)
                .filter(Objects::nonNull)
                .max(Double::compare)
                .orElse(null);
    }
}
