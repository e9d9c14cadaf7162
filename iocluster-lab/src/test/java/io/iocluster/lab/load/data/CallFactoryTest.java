package io.iocluster.lab.load.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.lab.load.TestExperiments;
import io.iocluster.lab.load.experiment.ExperimentFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallFactoryTest {

    private static final String PHASES = "phases: [{name: p, rate: 1/s, duration: 1s}]\n";

    @TempDir
    private Path folder;

    @Test
    void sequentialRowsOfACsvFileRepeatInOrder() throws IOException {
        Files.writeString(folder.resolve("users.csv"), "id,name\n1,\"a,b\"\n2,c\n");

        assertThat(urls(feeder("file: users.csv"), "http://h/{{f.id}}/{{f.name}}", 3))
                .containsExactly("http://h/1/a%2Cb", "http://h/2/c", "http://h/1/a%2Cb");
    }

    @Test
    void uniqueRowsEndTheCallsAndAgentsShareThem() throws IOException {
        Files.writeString(folder.resolve("u.ndjson"), "{\"id\": 1}\n{\"id\": 2}\n\n{\"id\": 3}\n");
        ExperimentFile file = experiment(feeder("file: u.ndjson, order: unique"), "http://h/{{f.id}}");

        assertThat(urls(new CallFactory(file, "run", 1, 0))).containsExactly("http://h/1", "http://h/2", "http://h/3");
        assertThat(urls(new CallFactory(file, "run", 2, 0))).containsExactly("http://h/1", "http://h/3");
        assertThat(urls(new CallFactory(file, "run", 2, 1))).containsExactly("http://h/2");
    }

    @Test
    void combinationsHaveEachValueWithEachOther() throws IOException {
        assertThat(urls(
                        feeder("values: {a: [x, y], b: ['1', '2', '3']}, order: combinations"),
                        "http://h/{{f.a}}{{f.b}}",
                        7))
                .containsExactly(
                        "http://h/x1",
                        "http://h/x2",
                        "http://h/x3",
                        "http://h/y1",
                        "http://h/y2",
                        "http://h/y3",
                        "http://h/x1");
    }

    @Test
    void zipfPrefersTheFirstRowsAsMuchAsItsExponentSays() throws IOException {
        List<String> urls =
                urls(feeder("values: {id: [a, b, c, d]}, order: zipf, exponent: 1.0"), "http://h/{{f.id}}", 20_000);
        Map<String, Integer> counts = new HashMap<>();
        urls.forEach(url -> counts.merge(url, 1, Integer::sum));

        // The weights are 1, 1/2, 1/3 and 1/4.
        assertThat(counts.get("http://h/a") / 20_000.0).isBetween(0.46, 0.50);
        assertThat(counts.get("http://h/b") / 20_000.0).isBetween(0.22, 0.26);
        assertThat(counts.get("http://h/d") / 20_000.0).isBetween(0.10, 0.14);
    }

    @Test
    void theSameSeedGivesTheSameCallsWithAnyNumberOfAgents() throws IOException {
        ExperimentFile file = TestExperiments.experiment(folder.resolve("e.yaml"), """
                requests:
                  - {name: a, url: "http://h/a/{{f.id}}/{{call.number}}", weight: 3}
                  - {name: b, url: "http://h/b/{{f.id}}/{{call.number}}"}
                feeders: [{name: f, values: {id: [x, y, z]}, order: random}]
                """ + PHASES);
        List<String> all = urls(new CallFactory(file, "run", 1, 0), 2_000);
        List<String> shared = new ArrayList<>();
        shared.addAll(urls(new CallFactory(file, "run", 2, 0), 1_000));
        shared.addAll(urls(new CallFactory(file, "run", 2, 1), 1_000));

        assertThat(shared).containsExactlyInAnyOrderElementsOf(all);
        assertThat(all.stream().filter(url -> url.startsWith("http://h/a/")).count())
                .isBetween(1_400L, 1_600L);
    }

    @Test
    void theRowsOfACallDoNotDependOnThoseOfThePreviousOne() throws IOException {
        String values = IntStream.range(0, 100).mapToObj(i -> "'" + i + "'").collect(Collectors.joining(", "));
        ExperimentFile file =
                TestExperiments.experiment(folder.resolve("e.yaml"), """
                seed: 0
                requests: [{name: r, url: "http://h/{{f.id}}/{{g.id}}"}]
                feeders:
                  - {name: f, values: {id: [VALUES]}, order: random}
                  - {name: g, values: {id: [VALUES]}, order: random}
                """.replace("VALUES", values) + PHASES);
        List<String[]> calls = urls(new CallFactory(file, "run", 1, 0), 1_000).stream()
                .map(url -> url.substring("http://h/".length()).split("/"))
                .toList();

        long repeated = IntStream.range(1, calls.size())
                .filter(i -> calls.get(i)[0].equals(calls.get(i - 1)[1]))
                .count();

        assertThat(repeated).isLessThan(50);
    }

    @Test
    void valuesAreEscapedInUrlsAndJsonBodies() throws IOException {
        ExperimentFile file = TestExperiments.experiment(folder.resolve("e.yaml"), """
                requests:
                  - name: r
                    method: POST
                    url: "http://h/?q={{f.q}}"
                    body: '{"q": "{{f.q}}"}'
                    headers: {X-Q: "{{f.q}}"}
                feeders: [{name: f, values: {q: ['a "b" & c']}}]
                """ + PHASES);
        CallSpec call = new CallFactory(file, "run", 1, 0).next();

        assertThat(call.url()).isEqualTo("http://h/?q=a%20%22b%22%20%26%20c");
        assertThat(new String(call.body(), StandardCharsets.UTF_8)).isEqualTo("{\"q\": \"a \\\"b\\\" & c\"}");
        assertThat(call.headers().get(0).value()).isEqualTo("a \"b\" & c");
    }

    @Test
    void aUrlThatBeginsWithAPlaceholderIsNotEscaped() throws IOException {
        assertThat(urls(feeder("values: {url: ['http://h/a?b=c']}"), "{{f.url}}", 1))
                .containsExactly("http://h/a?b=c");
    }

    @Test
    void errorsOfDataNameTheFileAndTheLine() throws IOException {
        Files.writeString(folder.resolve("bad.csv"), "id,name\n1\n");
        Files.writeString(folder.resolve("bad.ndjson"), "{\"id\": 1}\n[]\n");
        Files.writeString(folder.resolve("ok.csv"), "id\n1\n");

        assertThatThrownBy(() -> urls(feeder("file: none.csv"), "http://h/", 1))
                .isInstanceOf(IOException.class)
                .hasMessage(folder.resolve("none.csv") + ": does not exist");
        assertThatThrownBy(() -> urls(feeder("file: bad.csv"), "http://h/", 1))
                .hasMessage(folder.resolve("bad.csv") + ": row 1 has 1 fields, but the header has 2");
        assertThatThrownBy(() -> urls(feeder("file: bad.ndjson"), "http://h/", 1))
                .hasMessage(folder.resolve("bad.ndjson") + ":2: is not a JSON object");
        assertThatThrownBy(() -> urls(feeder("file: ok.csv"), "http://h/{{f.idd}}", 1))
                .hasMessage(
                        "requests[0].url names the unknown field of the feeder f \"idd\"; did you mean id?; it has id");
    }

    @Test
    void aFeederThatIsNotAFileOrHasNoFieldsIsAnError() throws IOException {
        Files.createDirectory(folder.resolve("folder.csv"));
        Files.writeString(folder.resolve("empty.ndjson"), "{}\n{\"id\": 1}\n");
        Files.createSymbolicLink(folder.resolve("endless.csv"), Path.of("/dev/zero"));

        assertThatThrownBy(() -> urls(feeder("file: folder.csv"), "http://h/", 1))
                .isInstanceOf(IOException.class)
                .hasMessage(folder.resolve("folder.csv") + ": is not a file");
        assertThatThrownBy(() -> urls(feeder("file: endless.csv"), "http://h/", 1))
                .hasMessage(folder.resolve("endless.csv") + ": is not a file");
        assertThatThrownBy(() -> urls(feeder("file: empty.ndjson"), "http://h/", 1))
                .hasMessage(folder.resolve("empty.ndjson") + ":1: has no fields");
    }

    @Test
    void aByteOrderMarkIsNotPartOfTheFirstField() throws IOException {
        Files.writeString(folder.resolve("excel.csv"), "\uFEFFid,name\n1,a\n");

        assertThat(urls(feeder("file: excel.csv"), "http://h/{{f.id}}", 1)).containsExactly("http://h/1");
    }

    private static String feeder(String keys) {
        return "feeders: [{name: f, " + keys + "}]\n";
    }

    private ExperimentFile experiment(String feeders, String url) throws IOException {
        return TestExperiments.experiment(
                folder.resolve("e.yaml"), "requests: [{name: r, url: \"" + url + "\"}]\n" + feeders + PHASES);
    }

    private List<String> urls(String feeders, String url, int count) throws IOException {
        return urls(new CallFactory(experiment(feeders, url), "run", 1, 0), count);
    }

    private static List<String> urls(CallFactory factory, int count) {
        return Stream.generate(factory::next).limit(count).map(CallSpec::url).toList();
    }

    private static List<String> urls(CallFactory factory) {
        return Stream.generate(factory::next)
                .takeWhile(call -> call != null)
                .map(CallSpec::url)
                .toList();
    }
}
