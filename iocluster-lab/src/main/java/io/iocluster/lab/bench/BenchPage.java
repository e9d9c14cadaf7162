package io.iocluster.lab.bench;

import io.iocluster.lab.load.html.Chart;
import io.iocluster.lab.load.html.HtmlPage;
import io.iocluster.lab.load.html.HtmlTable;
import io.iocluster.lab.load.report.Figures;
import io.iocluster.lab.load.report.PercentileCurve;
import io.iocluster.lab.load.result.LatencyHistogram;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The measurements as a page with the tables and charts of a load test's report. Confined to one thread. */
final class BenchPage {

    private static final double[] PERCENTILES = {50, 90, 99, 99.9};

    private final HtmlPage page;

    /** @param broker description of the broker */
    BenchPage(String broker) {
        page = new HtmlPage("bin/bench", List.of())
                .note(broker + " · Java " + System.getProperty("java.version") + " · "
                        + Runtime.getRuntime().availableProcessors() + " processors");
    }

    /** Adds the measurements and the charts of a scenario. */
    void add(String scenario, List<Measurement> all, List<Chart> charts) {
        page.section(scenario);
        BenchReport.ratios(all)
                .forEach((name, ratio) ->
                        page.paragraph(String.format(Locale.ROOT, "node ÷ naive, %s: %.3f", name, ratio)));
        page.table(figures(all));
        Map<String, LatencyHistogram> latencies = latencies(all);
        if (!latencies.isEmpty()) {
            page.table(percentiles(latencies))
                    .charts(List.of(PercentileCurve.chart("Percentiles of " + scenario, latencies)));
        }
        if (!charts.isEmpty()) {
            page.charts(charts);
        }
    }

    private static HtmlTable figures(List<Measurement> all) {
        HtmlTable table =
                new HtmlTable("", ">round", ">calls/s", ">CPU µs", ">RSS MiB", ">heap MiB", "further figures");
        for (Measurement one : all) {
            table.add(
                    one.subject().label(),
                    one.round(),
                    Figures.number(one.callsPerSecond()),
                    Figures.number(one.cpuMicrosPerCall()),
                    one.peakResidentBytes() >> 20,
                    one.peakHeapBytes() == 0 ? Figures.NONE : one.peakHeapBytes() >> 20,
                    BenchReport.extras(one));
        }
        return table;
    }

    /** Returns the distributions of all rounds together, by subject and name. */
    private static Map<String, LatencyHistogram> latencies(List<Measurement> all) {
        Map<String, LatencyHistogram> byLabel = new LinkedHashMap<>();
        for (Measurement one : all) {
            one.latencies()
                    .forEach((name, latency) -> byLabel.merge(
                            one.subject().label() + ": " + name,
                            latency,
                            (earlier, later) -> LatencyHistogram.sum(List.of(earlier, later))));
        }
        return byLabel;
    }

    private static HtmlTable percentiles(Map<String, LatencyHistogram> latencies) {
        HtmlTable table = new HtmlTable("", ">calls", ">p50", ">p90", ">p99", ">p99.9", ">max");
        latencies.forEach((label, latency) -> {
            Object[] cells = new Object[3 + PERCENTILES.length];
            cells[0] = label;
            cells[1] = Figures.count(latency.count());
            for (int i = 0; i < PERCENTILES.length; i++) {
                cells[2 + i] = Figures.percentile(latency, PERCENTILES[i]);
            }
            cells[cells.length - 1] = Figures.max(latency);
            table.add(cells);
        });
        return table;
    }

    String html() {
        return page.html();
    }
}
