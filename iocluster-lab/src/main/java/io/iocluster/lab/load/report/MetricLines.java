package io.iocluster.lab.load.report;

import io.iocluster.lab.load.html.Chart;
import io.iocluster.lab.load.html.Chart.Axis;
import io.iocluster.lab.load.html.Chart.Color;
import io.iocluster.lab.load.html.Chart.Unit;
import io.iocluster.lab.load.result.MetricSeries;
import io.iocluster.lab.load.result.MetricSeries.Sample;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/** Charts of metrics, whose samples may have different times. */
final class MetricLines {

    /** More points than a screen has make the file large and change nothing. */
    private static final int MAX_POINTS = 3_600;

    private MetricLines() {}

    /** Returns a chart with one line for each name; empty if there are no samples during the run. */
    static Optional<Chart> chart(
            Map<String, MetricSeries> byName,
            List<String> names,
            List<String> labels,
            String title,
            Unit unit,
            double scale,
            String note) {
        NavigableSet<Double> seconds = new TreeSet<>();
        names.forEach(name -> during(byName.get(name)).forEach(sample -> seconds.add(sample.seconds())));
        if (seconds.isEmpty()) {
            return Optional.empty();
        }
        int stride = (seconds.size() + MAX_POINTS - 1) / MAX_POINTS;
        double[] all = seconds.stream().mapToDouble(Double::doubleValue).toArray();
        double[] xs = new double[(all.length + stride - 1) / stride];
        for (int i = 0; i < xs.length; i++) {
            xs[i] = all[i * stride];
        }
        Chart.Builder chart = new Chart.Builder(title, Axis.TIME, unit, xs).note(note);
        for (int i = 0; i < names.size(); i++) {
            chart.line(labels.get(i), Color.values()[i], values(byName.get(names.get(i)), xs, scale));
        }
        return Optional.of(chart.build());
    }

    private static List<Sample> during(MetricSeries series) {
        return series.samples().stream().filter(sample -> sample.seconds() >= 0).toList();
    }

    /** Returns the highest value from each x value up to the next; NaN if there is none. */
    private static double[] values(MetricSeries series, double[] xs, double scale) {
        double[] values = new double[xs.length];
        Arrays.fill(values, Double.NaN);
        for (Sample sample : during(series)) {
            int found = Arrays.binarySearch(xs, sample.seconds());
            int index = found >= 0 ? found : -found - 2;
            double value = sample.value() * scale;
            values[index] = Double.isNaN(values[index]) ? value : Math.max(values[index], value);
        }
        return values;
    }
}
