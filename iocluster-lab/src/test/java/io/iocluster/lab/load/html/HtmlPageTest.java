package io.iocluster.lab.load.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.lab.load.html.Chart.Axis;
import io.iocluster.lab.load.html.Chart.Color;
import io.iocluster.lab.load.html.Chart.Unit;
import io.iocluster.lab.load.html.HtmlTable.Mark;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HtmlPageTest {

    private static final String HOSTILE = "</script><img src=x onerror=alert(1)>\"'&\u0000\u202e";

    @Test
    void everyTextIsEscaped() {
        String html = new HtmlPage(HOSTILE, List.of(new TimeSpan(0, 1, HOSTILE, true)))
                .section(HOSTILE)
                .paragraph(HOSTILE)
                .note(HOSTILE)
                .verdict(Mark.BAD, HOSTILE)
                .table(new HtmlTable(HOSTILE, ">" + HOSTILE).add(Mark.BAD, HOSTILE, HOSTILE))
                .charts(List.of(new Chart.Builder(HOSTILE, Axis.TIME, Unit.MILLIS, new double[] {1})
                        .note(HOSTILE)
                        .line(HOSTILE, Color.A, new double[] {2})
                        .build()))
                .html();

        assertThat(html).doesNotContain("<img").doesNotContain("\u0000").doesNotContain("\u202e");
        assertThat(html.split("</script>", -1))
                .as("the two scripts of the page")
                .hasSize(3);
        assertThat(data(html).path("charts").path(0).path("title").asString()).isEqualTo(HOSTILE);
        assertThat(html).contains("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;\\u{0}\\u{202e}");
    }

    @Test
    void thePageNeedsNoNetwork() {
        String html = new HtmlPage("test", List.of()).html();

        assertThat(html).contains("default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'");
        assertThat(html).doesNotContainPattern("(?i)<(link|img|iframe|object|embed)\\b");
        assertThat(html).doesNotContainPattern("(?i)<script[^>]* src=");
        assertThat(html).doesNotContainPattern("(?i)@import|url\\(");
        assertThat(html).doesNotContainPattern("(?m)^\\s*import ");
    }

    @Test
    void uPlotIsInsideThePage() {
        assertThat(new HtmlPage("test", List.of()).html())
                .contains("uPlot.paths", ".u-over, .u-under {position: absolute;}");
    }

    @Test
    void aGapInALineIsNullAndNumbersAreShort() {
        String html = new HtmlPage("test", List.of())
                .charts(List.of(new Chart.Builder("chart", Axis.PERCENTILE, Unit.COUNT, new double[] {0, 1, 2, 3})
                        .line("line", Color.A, new double[] {Double.NaN, 1.0 / 3, 123456.789, 0})
                        .build()))
                .html();

        assertThat(data(html).path("charts").path(0).path("columns").path(1).toString())
                .isEqualTo("[null,0.33333,123460,0]");
    }

    @Test
    void aChartWithoutPointsAndATableWithoutRowsAreLeftOut() {
        String html = new HtmlPage("test", List.of())
                .charts(List.of(new Chart.Builder("nothing", Axis.TIME, Unit.COUNT, new double[0]).build()))
                .table(new HtmlTable("none"))
                .html();

        assertThat(html).doesNotContain("<figure").doesNotContain("<table");
    }

    @Test
    void eachLineHasAValueForEachX() {
        assertThatThrownBy(() -> new Chart.Builder("chart", Axis.TIME, Unit.COUNT, new double[2])
                        .line("short", Color.A, new double[1])
                        .build())
                .hasMessage("short has 1 values for 2 x values");
    }

    private static JsonNode data(String html) {
        Matcher data = Pattern.compile("id=\"data\">(.*)</script>").matcher(html);
        assertThat(data.find()).isTrue();
        return JsonMapper.builder().build().readTree(data.group(1));
    }
}
