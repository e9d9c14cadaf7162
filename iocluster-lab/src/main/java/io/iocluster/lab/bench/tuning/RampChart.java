package io.iocluster.lab.bench.tuning;

import io.iocluster.lab.bench.tuning.RampResult.RampSample;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Rectangle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.NumberFormat;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.text.TextUtils;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.w3c.dom.Document;

/**
 * Draws lag, calls in flight, CPU and rate over time as SVG, for a node with the advisor off and one with it on auto.
 */
record RampChart(RampResult off, RampResult auto) {

    private static final int WIDTH = 960;
    private static final int HEIGHT = 900;
    private static final Color OFF = new Color(0xC2410C);
    private static final Color AUTO = new Color(0x1D4ED8);
    private static final Color REFERENCE = new Color(0x6B7280);
    private static final Color GRID = new Color(0xD1D5DB);
    private static final BasicStroke LINE = new BasicStroke(2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
    private static final BasicStroke DASHES =
            new BasicStroke(1.2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1f, new float[] {5f, 4f}, 0f);
    private static final double CEILING = 80;

    /** Writes the chart and creates its parent folders. */
    void write(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            try (Writer writer = Files.newBufferedWriter(file)) {
                SVGGraphics2D graphics = new SVGGraphics2D(document());
                graphics.setSVGCanvasSize(new Dimension(WIDTH, HEIGHT));
                // Keeps rotated labels as text instead of outlines.
                TextUtils.setUseDrawRotatedStringWorkaround(false);
                chart().draw(graphics, new Rectangle(WIDTH, HEIGHT));
                graphics.stream(writer, true);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Document document() {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument("http://www.w3.org/2000/svg", "svg", null);
        } catch (ParserConfigurationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private JFreeChart chart() {
        NumberAxis time = new NumberAxis("seconds");
        time.setAutoRangeIncludesZero(true);
        time.setRange(0, Math.max(off.samples().size(), auto.samples().size()));
        CombinedDomainXYPlot all = new CombinedDomainXYPlot(time);
        all.setGap(14);
        all.add(plot(lagAxis(), sample -> Math.max(1, sample.lag())));
        all.add(withLimit(plot("calls in flight", RampSample::inFlight)));
        all.add(withCeiling(plot("CPU of the node, % of all cores", sample -> 100 * sample.cpu())));
        all.add(withInput(plot("calls per second", RampSample::answered)));
        JFreeChart chart = new JFreeChart(
                "Input from " + off.rates().get(0) + " to "
                        + off.rates().get(off.rates().size() - 1)
                        + " calls per second, initial max-in-flight 50, a target that takes 100 ms",
                new Font(Font.SANS_SERIF, Font.BOLD, 15),
                all,
                true);
        chart.setBackgroundPaint(Color.WHITE);
        return chart;
    }

    private static LogAxis lagAxis() {
        LogAxis axis = new LogAxis("lag, messages");
        axis.setNumberFormatOverride(NumberFormat.getIntegerInstance(Locale.ROOT));
        axis.setSmallestValue(1);
        return axis;
    }

    private XYPlot plot(String name, ToDoubleFunction<RampSample> figure) {
        NumberAxis axis = new NumberAxis(name);
        axis.setAutoRangeIncludesZero(true);
        return plot(axis, figure);
    }

    private XYPlot plot(ValueAxis axis, ToDoubleFunction<RampSample> figure) {
        XYSeriesCollection data = new XYSeriesCollection();
        data.addSeries(series("advisor off", off, figure));
        data.addSeries(series("advisor on auto", auto, figure));
        XYLineAndShapeRenderer lines = new XYLineAndShapeRenderer(true, false);
        style(lines, 0, OFF, LINE);
        style(lines, 1, AUTO, LINE);
        lines.setDrawSeriesLineAsPath(true);
        XYPlot plot = new XYPlot(data, null, axis, lines);
        plot.setBackgroundPaint(Color.WHITE);
        plot.setRangeGridlinePaint(GRID);
        plot.setDomainGridlinePaint(GRID);
        boolean isFirst = axis instanceof LogAxis;
        lines.setSeriesVisibleInLegend(0, isFirst);
        lines.setSeriesVisibleInLegend(1, isFirst);
        for (int step = 1; step < off.rates().size(); step++) {
            plot.addDomainMarker(new ValueMarker(step * (double) off.seconds(), REFERENCE, DASHES));
        }
        return plot;
    }

    private XYPlot withLimit(XYPlot plot) {
        return with(plot, series("in-flight limit on auto", auto, RampSample::inFlightLimit), AUTO);
    }

    private static XYPlot withCeiling(XYPlot plot) {
        plot.addRangeMarker(new ValueMarker(CEILING, REFERENCE, DASHES));
        plot.getRangeAxis().setRange(0, 100);
        return plot;
    }

    private XYPlot withInput(XYPlot plot) {
        return with(
                plot,
                series(
                        "input",
                        auto,
                        sample -> auto.rates()
                                .get(Math.min(auto.rates().size() - 1, (sample.second() - 1) / auto.seconds()))),
                REFERENCE);
    }

    private static XYPlot with(XYPlot plot, XYSeries more, Color color) {
        ((XYSeriesCollection) plot.getDataset()).addSeries(more);
        style((XYLineAndShapeRenderer) plot.getRenderer(), 2, color, DASHES);
        return plot;
    }

    private static void style(XYLineAndShapeRenderer lines, int series, Color color, BasicStroke stroke) {
        lines.setSeriesPaint(series, color);
        lines.setSeriesStroke(series, stroke);
        lines.setSeriesShapesVisible(series, false);
        lines.setSeriesLinesVisible(series, true);
    }

    private static XYSeries series(String name, RampResult ramp, ToDoubleFunction<RampSample> figure) {
        XYSeries series = new XYSeries(name);
        ramp.samples().forEach(sample -> series.add(sample.second(), figure.applyAsDouble(sample)));
        return series;
    }
}
