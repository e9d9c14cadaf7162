package io.iocluster.node.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.TestStatuses;
import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.producer.AppQuota;
import io.iocluster.producer.AppStatus;
import io.iocluster.settings.Rate;
import io.iocluster.testkit.record.RecordCopy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FloodingAppTest {

    private static final PipelineStatus FULL =
            RecordCopy.with(TestStatuses.CONNECTED, "inFlight", 100, "maxInFlight", 100);
    private static final PipelineStatus FREE =
            RecordCopy.with(TestStatuses.CONNECTED, "inFlight", 99, "maxInFlight", 100, "waiting", 0);

    @Test
    void namesAnAppWhoseCallsWaitForItsQuota() {
        AppStatus billing = app("billing", 5, 12, 0, new AppQuota(5, Rate.parse("100/s"), 1_000));

        assertThat(problems(FREE, billing, app("shop", 50))).singleElement().satisfies(problem -> {
            assertThat(problem.kind()).isEqualTo(Kind.APP_OVER_QUOTA);
            assertThat(problem.subject()).isEqualTo("billing");
            assertThat(problem.text())
                    .isEqualTo("App billing waits for its quota (5 in flight, 100/s): 12 calls of the app wait.");
        });
    }

    @Test
    void saysHowManyCallsASecondFailBecauseOfTheQuota() {
        AppStatus billing = app("billing", 5, 1_000, 29.4, new AppQuota(0, Rate.parse("100/s"), 1_000));

        assertThat(problems(FREE, billing))
                .extracting(Problem::text)
                .containsExactly(
                        "App billing waits for its quota (100/s): 1000 calls of the app wait, and 30 a second fail.");
    }

    @Test
    void saysWhatShareOfTheEndedCallsAnAppOverItsQuotaHas() {
        AppStatus billing = RecordCopy.with(
                app("billing", 5, 12, 0, new AppQuota(5, Rate.UNLIMITED, 1_000)), "callsPerSecond", 93.0);
        AppStatus shop = RecordCopy.with(app("shop", 1), "callsPerSecond", 7.0);

        assertThat(problems(FREE, billing, shop))
                .extracting(Problem::text)
                .containsExactly(
                        "App billing waits for its quota (5 in flight): 12 calls of the app wait. Its share of the"
                                + " ended calls is 93 %.");
    }

    @Test
    void namesAnAppThatHasMostCallsOfAFullNode() {
        assertThat(problems(FULL, app("billing", 90), app("shop", 10)))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.kind()).isEqualTo(Kind.APP_DOMINATES);
                    assertThat(problem.text())
                            .isEqualTo("App billing has 90 of the 100 calls that the node works on, and calls wait.");
                });
    }

    @Test
    void namesNoAppWhenTheNodeHasFreeSlots() {
        assertThat(problems(FREE, app("billing", 90), app("shop", 9))).isEmpty();
    }

    @Test
    void namesAnAppThatFillsTheSlotsOfABusyDestination() {
        PipelineStatus busy = RecordCopy.with(FREE, "inFlight", 67, "waiting", 40);

        assertThat(problems(busy, app("billing", 60), app("shop", 7)))
                .extracting(Problem::kind)
                .containsExactly(Kind.APP_DOMINATES);
    }

    @Test
    void namesNoAppWhenItIsAlone() {
        assertThat(problems(FULL, app("billing", 100), app("shop", 0))).isEmpty();
    }

    @Test
    void namesNoAppWhenTheCallsAreSharedEvenly() {
        assertThat(problems(FULL, app("billing", 60), app("shop", 40))).isEmpty();
    }

    private static List<Problem> problems(PipelineStatus pipeline, AppStatus... apps) {
        List<Problem> problems = new ArrayList<>();
        FloodingApp.addProblems(List.of(apps), pipeline, problems);
        return problems;
    }

    private static AppStatus app(String name, int inFlight) {
        return app(name, inFlight, 0, 0, AppQuota.DEFAULTS);
    }

    private static AppStatus app(String name, int inFlight, int waiting, double overQuotaPerSecond, AppQuota quota) {
        return new AppStatus(name, false, inFlight, waiting, 0, 0, 0, 0, 0, 0, 0, overQuotaPerSecond, quota);
    }
}
