package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.hedge.HedgeResult;
import io.iocluster.http.Certainty;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.usable.Usability;
import io.iocluster.node.TestStatuses;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.trace.Traced;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compares the maximum number of series with docs/metrics.md. */
class SeriesBoundTest {

    private static final int SERIES_PER_DESTINATION = 900;
    private static final int OTHER_SERIES = 1_500;
    private static final Path PAGE = Path.of(System.getProperty("basedir", ".")).resolve("../docs/metrics.md");

    @Test
    void aDestinationHasNoMoreSeriesThanDocumentedWhateverItAnswers() throws IOException {
        try (NodeMetrics metrics = TestNodeMetrics.of(100)) {
            recordEverything(metrics.events());

            List<String> series = new String(
                            metrics.scrape(TestStatuses.CONNECTED, List.of(AllMetricsNode.DESTINATION), null)
                                    .text(),
                            StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();

            long ofDestination = series.stream()
                    .filter(line -> line.contains("destination=\"a:80\""))
                    .count();
            assertThat(ofDestination).isLessThanOrEqualTo(SERIES_PER_DESTINATION);
            assertThat(series.size() - ofDestination).isLessThan(OTHER_SERIES);
            assertThat(Files.readString(PAGE))
                    .contains(
                            SERIES_PER_DESTINATION + " × (`metrics.max-destinations` + 1 + entries of `destinations`)")
                    .contains("+ 1,500");
        }
    }

    private static void recordEverything(PipelineEvents events) {
        events.attempted("a:80", 100);
        for (int status = 100; status < 600; status++) {
            events.attemptEnded(
                    "a:80", new HttpResult.Response(status, List.of(), new byte[0], false, AttemptTiming.NONE), 1_000);
            events.delayed("a:80", Integer.toString(status));
            for (Outcome outcome : Outcome.values()) {
                events.callEnded("a:80", outcome, status, null, 1_000, Traced.UNTRACED);
            }
        }
        for (Usability usability : Usability.values()) {
            events.attemptEnded("a:80", AttemptMetersTest.response(200).withUsability(usability), 1_000);
        }
        for (HedgeResult result : HedgeResult.values()) {
            events.hedged("a:80", result);
        }
        for (ErrorCode code : ErrorCode.values()) {
            events.attemptEnded(
                    "a:80", new HttpResult.Failure(code, "why", Certainty.NOT_SENT, AttemptTiming.NONE), 1_000);
            events.callError("a:80", code);
            events.delayed("a:80", code.wireName());
            events.egressViolation(code);
            events.deadLettered(code);
            for (Outcome outcome : Outcome.values()) {
                events.callEnded("a:80", outcome, 0, code, 1_000, Traced.UNTRACED);
            }
        }
    }
}
