package io.iocluster.lab.load.report;

import io.iocluster.lab.load.html.Chart;
import io.iocluster.lab.load.html.Chart.Axis;
import io.iocluster.lab.load.html.Chart.Color;
import io.iocluster.lab.load.html.Chart.Unit;
import io.iocluster.lab.load.result.LatencyHistogram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Latency by percentile. Each curve ends where there are too few values for the next percentile. */
public final class PercentileCurve {

    private static final int POINTS_PER_DECADE = 20;
    private static final int DECADES = 4;

    private PercentileCurve() {}

    /** Returns the chart of these distributions; those without values are left out. */
    public static Chart chart(String title, Map<String, LatencyHistogram> byLabel) {
        List<String> labels = new ArrayList<>();
        List<double[]> curves = new ArrayList<>();
        double[] xs = IntStream.rangeClosed(0, POINTS_PER_DECADE * DECADES)
                .mapToDouble(i -> (double) i / POINTS_PER_DECADE)
                .toArray();
        byLabel.forEach((label, latency) -> {
            if (latency.count() > 0 && labels.size() < Color.values().length) {
                labels.add(label);
                curves.add(curve(latency, xs));
            }
        });
        Chart.Builder chart = new Chart.Builder(title, Axis.PERCENTILE, Unit.MILLIS, xs)
                .logarithmic()
                .note("a curve ends where there are too few calls");
        for (int i = 0; i < labels.size(); i++) {
            chart.line(labels.get(i), Color.values()[i], curves.get(i));
        }
        return chart.build();
    }

    private static double[] curve(LatencyHistogram latency, double[] xs) {
        double[] curve = new double[xs.length];
        for (int i = 0; i < xs.length; i++) {
            double percentile = 100 * (1 - Math.pow(10, -xs[i]));
            curve[i] = xs[i] == 0
                    ? latency.minMillis()
                    : latency.percentileMillis(percentile).stream()
                            .filter(Double::isFinite)
                            .findFirst()
                            .orElse(Double.NaN);
        }
        return curve;
    }
}
