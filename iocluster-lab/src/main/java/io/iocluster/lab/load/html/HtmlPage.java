package io.iocluster.lab.load.html;

import io.iocluster.node.Main;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A page in one file: styles, scripts and data are inside, and its content security policy forbids every request. Confined to one
 * thread.
 */
public final class HtmlPage {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String CONSOLE = "/io/iocluster/node/console/";

    /** The console's copy of uPlot is a module; in the page it is one script with the code that uses it, in a block. */
    private static final String EXPORT = "export { uPlot as default };";

    private final String title;
    private final StringBuilder body = new StringBuilder();
    private final List<Chart> charts = new ArrayList<>();
    private final List<TimeSpan> spans;

    /** @param spans phases and faults, which all charts over time show */
    public HtmlPage(String title, List<TimeSpan> spans) {
        this.title = title;
        this.spans = List.copyOf(spans);
    }

    /** Adds a heading that starts a section. */
    public HtmlPage section(String heading) {
        body.append("<h2>").append(HtmlText.escape(heading)).append("</h2>\n");
        return this;
    }

    public HtmlPage paragraph(String text) {
        body.append("<p>").append(HtmlText.escape(text)).append("</p>\n");
        return this;
    }

    /** Adds a sentence that explains figures above or below it. */
    public HtmlPage note(String text) {
        body.append("<p class=\"quiet\">").append(HtmlText.escape(text)).append("</p>\n");
        return this;
    }

    /** Adds a sentence that says how the run ended. */
    public HtmlPage verdict(HtmlTable.Mark mark, String text) {
        body.append("<p class=\"verdict ")
                .append(mark.name().toLowerCase(Locale.ROOT))
                .append("\">")
                .append(HtmlText.escape(text))
                .append("</p>\n");
        return this;
    }

    /** Adds a table, if it has rows. */
    public HtmlPage table(HtmlTable table) {
        if (!table.isEmpty()) {
            table.write(body);
        }
        return this;
    }

    /** Adds charts side by side, if the page is wide enough. Empty ones are left out. */
    public HtmlPage charts(List<Chart> shown) {
        body.append("<div class=\"charts\">\n");
        for (Chart chart : shown) {
            if (!chart.isEmpty()) {
                body.append("<figure class=\"panel\" data-chart=\"")
                        .append(charts.size())
                        .append("\"><figcaption><h3>")
                        .append(HtmlText.escape(chart.title()))
                        .append("</h3><span class=\"quiet\">")
                        .append(HtmlText.escape(chart.note()))
                        .append("</span></figcaption></figure>\n");
                charts.add(chart);
            }
        }
        body.append("</div>\n");
        return this;
    }

    /** Returns the document. */
    public String html() {
        String uplot = consoleFile("uplot.js");
        if (!uplot.contains(EXPORT)) {
            throw new IllegalStateException("uplot.js does not end with: " + EXPORT);
        }
        return """
                <!doctype html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
                <title>%s</title>
                <style>
                %s
                %s
                </style>
                </head>
                <body>
                <main>
                <h1>%s</h1>
                %s<noscript><p>The charts need JavaScript. The tables do not.</p></noscript>
                </main>
                <script type="application/json" id="data">%s</script>
                <script type="module">
                %s
                {
                %s
                }
                </script>
                </body>
                </html>
                """.formatted(
                        HtmlText.escape(title),
                        consoleFile("uplot.css"),
                        ownFile("page.css"),
                        HtmlText.escape(title),
                        body,
                        HtmlText.inScript(JSON.writeValueAsString(data())),
                        uplot.replace(EXPORT, ""),
                        ownFile("page.js"));
    }

    private ObjectNode data() {
        ObjectNode data = JSON.createObjectNode();
        ArrayNode spanList = data.putArray("spans");
        spans.forEach(span -> spanList.addObject()
                .put("from", span.from())
                .put("to", span.to())
                .put("label", span.label())
                .put("fault", span.fault()));
        ArrayNode chartList = data.putArray("charts");
        for (Chart chart : charts) {
            ObjectNode json = chartList
                    .addObject()
                    .put("title", chart.title())
                    .put("x", lower(chart.x()))
                    .put("unit", lower(chart.unit()))
                    .put("logarithmic", chart.logarithmic());
            ArrayNode lines = json.putArray("lines");
            chart.lines()
                    .forEach(line -> lines.addObject()
                            .put("label", line.label())
                            .put("color", lower(line.color()))
                            .put("dashed", line.dashed()));
            ArrayNode columns = json.putArray("columns");
            numbers(chart.xs(), columns.addArray());
            chart.lines().forEach(line -> numbers(line.values(), columns.addArray()));
        }
        return data;
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** JSON has no NaN; null is a gap. Five significant digits keep the file small. */
    private static void numbers(double[] values, ArrayNode array) {
        for (double value : values) {
            if (Double.isFinite(value)) {
                double scale = Math.pow(10, 5 - Math.ceil(Math.log10(Math.max(1e-9, Math.abs(value)))));
                double rounded = value == 0 ? 0 : Math.round(value * scale) / scale;
                if (rounded == Math.rint(rounded)) {
                    array.add((long) rounded);
                } else {
                    array.add(rounded);
                }
            } else {
                array.addNull();
            }
        }
    }

    private static String consoleFile(String name) {
        return read(Main.class, CONSOLE + name);
    }

    private static String ownFile(String name) {
        return read(HtmlPage.class, name);
    }

    private static String read(Class<?> owner, String name) {
        try (InputStream in = owner.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
