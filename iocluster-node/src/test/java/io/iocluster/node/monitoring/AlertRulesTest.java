package io.iocluster.node.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests alerts and their runbooks. {@code docker/prometheus/iocluster.test.yaml} tests when alerts fire. */
class AlertRulesTest {

    private static final Path RUNBOOKS =
            Path.of(System.getProperty("basedir", ".")).resolve("../docs/operations/runbooks.md");

    private final AlertRules rules = new AlertRules();

    @Test
    void eachAlertHasASeverityAndADescription() {
        assertThat(rules.alerts()).hasSizeGreaterThan(15).allSatisfy(alert -> {
            assertThat(alert.at("/labels/severity").asString()).isIn("info", "warning", "critical");
            assertThat(alert.at("/annotations/summary").asString()).isNotBlank();
            assertThat(alert.at("/annotations/description").asString()).isNotBlank();
        });
    }

    @Test
    void eachAlertLinksToItsRunbook() {
        assertThat(rules.alerts())
                .allSatisfy(
                        alert -> assertThat(alert.at("/annotations/runbook_url").asString())
                                .isEqualTo("docs/operations/runbooks.md#"
                                        + alert.get("alert").asString().toLowerCase(Locale.ROOT)));
    }

    @Test
    void alertsAndRunbooksMatch() throws IOException {
        List<String> headings = headings();

        assertThat(headings)
                .containsExactlyElementsOf(rules.alerts().stream()
                        .map(alert -> alert.get("alert").asString())
                        .toList());
    }

    @Test
    void eachRunbookHasAllParts() throws IOException {
        String text = Files.readString(RUNBOOKS);

        for (String alert : headings()) {
            String runbook =
                    text.substring(text.indexOf("#### " + alert + "\n")).split("\n#+ ")[0];
            assertThat(runbook).contains("\n- Check: ", "\n- Do: ", "\n- Do not: ");
        }
    }

    @Test
    void eachAlertHasATestInWhichItFires() throws IOException {
        String tests = Files.readString(PrometheusProcess.FILES.resolve("iocluster.test.yaml"));

        assertThat(rules.alerts())
                .extracting(alert -> alert.get("alert").asString())
                .allMatch(alert -> tests.contains("{alertname=\"" + alert + "\"}'"));
    }

    @Test
    void everyRecordedSeriesIsUsed() {
        assertThat(rules.recorded())
                .isNotEmpty()
                .allMatch(name -> Stream.concat(
                                rules.expressions().stream(),
                                rules.alerts().stream().map(JsonNode::toString))
                        .anyMatch(text -> text.contains(name)));
    }

    @Test
    void eachDashboardHasItsOwnIdAndMarksOfRestarts() {
        assertThat(Dashboard.all()).extracting(Dashboard::uid).hasSize(5).doesNotHaveDuplicates();
        assertThat(Dashboard.all())
                .allSatisfy(dashboard -> assertThat(dashboard.annotations()).contains("Restarts", "Alerts"));
    }

    private static List<String> headings() throws IOException {
        return Files.readAllLines(RUNBOOKS).stream()
                .filter(line -> line.startsWith("#### IOCluster"))
                .map(line -> line.substring("#### ".length()))
                .toList();
    }
}
