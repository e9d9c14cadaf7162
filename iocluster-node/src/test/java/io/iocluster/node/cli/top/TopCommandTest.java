package io.iocluster.node.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.AdminFixture;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.cli.top.Sample.NodeSample;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

class TopCommandTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final JsonNode NO_CLUSTER = JSON.readTree("{}");

    @Test
    void computesRatesAndPercentilesOfTheIntervalAndSumsTheNodes() {
        Sample earlier = new Sample(0, Map.of("a", node(100, 10, 2), "b", node(0, 0, 0)), NO_CLUSTER);
        Sample later = new Sample(2_000_000_000L, Map.of("a", node(300, 30, 4), "b", node(200, 20, 0)), NO_CLUSTER);

        List<String> lines = new TopView(earlier, later).lines(SortKey.NAME);

        assertThat(lines.stream().filter(line -> line.startsWith("slow")))
                .singleElement()
                .asString()
                // In flight of both nodes, attempts and errors in a second, percentiles.
                .matches("slow +8 +0 +20\\.?0? +1\\.0 +7ms +7ms +open +timeout");
        assertThat(lines.stream()
                        .filter(line -> line.startsWith("n1"))
                        .findFirst()
                        .orElseThrow())
                .contains(" 100 ", " 7ms ");
        assertThat(lines).anyMatch(line -> line.matches("timeout +1\\.0 +4"));
    }

    @Test
    void sortsByTheChosenKey() {
        Sample sample = new Sample(0, Map.of("a", node(1, 1, 1)), NO_CLUSTER);

        assertThat(names(new TopView(sample, sample).lines(SortKey.NAME))).containsExactly("fast", "slow");
        assertThat(names(new TopView(sample, sample).lines(SortKey.IN_FLIGHT))).containsExactly("slow", "fast");
        assertThat(SortKey.of('i')).contains(SortKey.IN_FLIGHT);
        assertThat(SortKey.of('x')).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"24, 80", "40, 120", "10, 60", "5, 20"})
    void fitsTheScreenAndKeepsWhatMatters(int rows, int columns) {
        Sample sample = new Sample(0, Map.of("a", node(1, 1, 1)), NO_CLUSTER);

        List<String> lines = new TopView(sample, sample).lines(SortKey.NAME, rows, columns);

        assertThat(lines).hasSizeLessThanOrEqualTo(rows);
        if (columns >= 60) {
            assertThat(lines).allMatch(line -> line.length() <= columns);
            assertThat(lines.get(0)).contains("STATE", "IN FLIGHT", "LAG", "CALLS/s", "FAILURES/s");
            assertThat(lines.get(3)).contains("ERRORS/s", "P99", "BREAKER", "LAST ERROR");
        }
        assertThat(SortKey.help(SortKey.IN_FLIGHT)).hasSizeLessThanOrEqualTo(80);
    }

    @Test
    void saysHowManyDestinationsAndCodesDoNotFit() {
        Sample sample = new Sample(0, Map.of("a", node(1, 1, 1)), NO_CLUSTER);

        List<String> lines = new TopView(sample, sample).lines(SortKey.NAME, 8, 80);

        assertThat(lines.get(4)).isEqualTo("… 2 more destinations");
        assertThat(lines.get(7)).isEqualTo("… 2 more codes");
    }

    @Test
    void showsTheNodesOfTheClusterThatWereNotAsked() {
        JsonNode cluster = JSON.readTree("""
                {"nodes": [{"node": "n1", "state": "running"},
                           {"node": "n7", "state": "paused", "inFlight": 5, "callsPerSecond": 12.3, "cpu": 0.42}]}""");
        Sample sample = new Sample(0, Map.of("a", node(1, 1, 1)), cluster);

        List<String> lines = new TopView(sample, sample).lines(SortKey.NAME);

        assertThat(lines).filteredOn(line -> line.startsWith("n1 ")).hasSize(1);
        assertThat(lines).anyMatch(line -> line.matches("n7 +paused +5 .* 12 +- +42% +- +-"));
    }

    @Test
    void showsTheRateShareAndErrorsOfEachAppOverAllNodes() {
        Sample earlier = new Sample(0, Map.of("a", withApps(100, 0), "b", withApps(1_000, 50)), NO_CLUSTER);
        Sample later = new Sample(2_000_000_000L, Map.of("a", withApps(190, 4), "b", withApps(1_090, 56)), NO_CLUSTER);

        List<String> lines = new TopView(earlier, later).lines(SortKey.ATTEMPTS);

        int titles = IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).startsWith("APP "))
                .findFirst()
                .orElseThrow();
        assertThat(lines.get(titles).split(" {2,}"))
                .containsExactly("APP", "CALLS/s", "SHARE", "IN FLIGHT", "WAITING", "ERRORS/s");
        assertThat(lines.get(titles + 1)).matches("billing +90 +90% +6 +14 +5\\.0");
        assertThat(lines.get(titles + 2)).matches("shop +10 +10% +2 +0 +0\\.0");
        assertThat(new TopView(earlier, later).lines(SortKey.NAME, 24, 80))
                .hasSizeLessThanOrEqualTo(24)
                .anyMatch(line -> line.startsWith("billing"))
                .allMatch(line -> line.length() <= 80);
    }

    @Test
    void showsNoAppsIfNoMessageNamesItsApp() {
        JsonNode apps = JSON.readTree("{\"apps\":[{\"name\":\"unknown\",\"answered\":5}]}");
        Sample sample = new Sample(0, Map.of("a", node(1, 1, 1, apps)), NO_CLUSTER);

        assertThat(new TopView(sample, sample).lines(SortKey.NAME)).noneMatch(line -> line.startsWith("APP"));
    }

    @Test
    void aRestartedNodeHasNoNegativeRates() {
        Sample earlier = new Sample(0, Map.of("a", node(1000, 1000, 1000)), NO_CLUSTER);
        Sample later = new Sample(1_000_000_000L, Map.of("a", node(1, 1, 1)), NO_CLUSTER);

        assertThat(new TopView(earlier, later).lines(SortKey.NAME))
                .noneMatch(line -> line.contains("-1") || line.contains("-9"));
    }

    @Test
    void refreshesTheScreenUntilQ() {
        try (AdminFixture fixture = new AdminFixture("node: {id: node-1}\nadmin: {port: 0}")) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
            Terminal terminal = new Terminal(
                    new ByteArrayInputStream("iq".getBytes(StandardCharsets.UTF_8)),
                    printed,
                    printed,
                    Map.of(),
                    true,
                    true);

            int code = new CommandLine(new TopCommand(terminal))
                    .execute("--admin", fixture.uri("").toString(), "--interval", "100ms");

            assertThat(code).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .startsWith("\u001b[?1049h\u001b[?25l")
                    .contains("node-1", "[a attempts]", "[i in flight]", "q quit")
                    .endsWith("\u001b[?25h\u001b[?1049l");
        }
    }

    private static List<String> names(List<String> lines) {
        return lines.stream()
                .map(line -> line.split(" ")[0])
                .filter(name -> name.equals("slow") || name.equals("fast"))
                .toList();
    }

    /** Returns a node with an app that had these calls, and with one that had a ninth of them. */
    private static NodeSample withApps(int calls, int errors) {
        JsonNode apps = JSON.readTree("{\"apps\":[{\"name\":\"billing\",\"inFlight\":3,\"waiting\":7,\"answered\":"
                + (calls - errors) + ",\"failed\":" + errors + ",\"errors\":" + errors
                + "},{\"name\":\"shop\",\"inFlight\":1,\"waiting\":0,\"answered\":" + calls / 9 + ",\"errors\":0}]}");
        return node(1, 1, 1, apps);
    }

    private static NodeSample node(int acknowledged, int attempts, int errors) {
        return node(acknowledged, attempts, errors, MissingNode.getInstance());
    }

    private static NodeSample node(int acknowledged, int attempts, int errors, JsonNode apps) {
        JsonNode durations = JSON.readTree("[{\"upToMillis\":7,\"calls\":" + attempts + "}]");
        JsonNode status = JSON.readTree("{\"node\":\"n1\",\"state\":\"running\",\"inFlight\":4,\"source\":{}}");
        JsonNode stats = JSON.readTree("{\"acknowledged\":" + acknowledged + ",\"failures\":" + errors
                + ",\"cpuMillis\":0,\"cpus\":2,\"durations\":" + durations + "}");
        JsonNode destinations = JSON.readTree(
                "{\"destinations\":[{\"name\":\"slow\",\"inFlight\":4,\"waiting\":0,"
                        + "\"attempts\":" + attempts + ",\"errors\":" + errors
                        + ",\"breaker\":\"open\",\"lastError\":{\"reason\":\"timeout\"}},"
                        + "{\"name\":\"fast\",\"inFlight\":0,\"waiting\":0,\"attempts\":0,\"errors\":0,\"breaker\":\"closed\"}]}");
        JsonNode answered = JSON.readTree("{\"destinations\":[{\"name\":\"slow\",\"statuses\":{\"200\":1},\"failures\":"
                + "{\"timeout\":" + errors + "},\"durations\":" + durations + "}]}");
        return new NodeSample(status, stats, destinations, answered, apps, null);
    }
}
