package io.iocluster.pipeline.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.Answer;
import io.iocluster.message.Outcome;
import io.iocluster.message.usable.Usability;
import io.iocluster.message.usable.UsableRule;
import io.iocluster.pipeline.ControlledPipeline;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.retry.RetrySettings;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.usable.UsableSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which answers win, are retried and count for the breaker if a rule says which answers are usable. */
class UsableAnswersTest extends ControlledPipeline {

    private static final String MATCH = "\"usable\": {\"json\": {\"pointer\": \"/match\", \"equals\": true}}";
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final UsableRule RULE =
            UsableRule.builder().json("/match").equalTo(true).build();

    private final Events events = new Events();

    private static final class Events implements PipelineEvents {

        private final Queue<Usability> checked = new ConcurrentLinkedQueue<>();
        private final Queue<String> retried = new ConcurrentLinkedQueue<>();

        @Override
        public void attemptEnded(String destination, HttpResult result, long nanos) {
            checked.add(((HttpResult.Response) result).usability());
        }

        @Override
        public void retried(String destination, String reason) {
            retried.add(reason);
        }
    }

    /** @param strict whether unusable answers are retried and count for the breaker */
    private static DestinationPolicy policy(UsableRule rule, boolean strict) {
        DestinationPolicy defaults = DestinationPolicy.DEFAULTS;
        return RecordCopy.with(
                defaults,
                "usable",
                RecordCopy.with(UsableSettings.DEFAULTS, "rule", rule),
                "retry",
                RecordCopy.with(
                        RetrySettings.DEFAULTS.withAttempts(strict ? 2 : 1, SHORT, SHORT), "unusableAnswers", strict),
                "breaker",
                RecordCopy.with(defaults.breaker(), "minimumCalls", 2, "windowSize", 2, "unusableAnswers", strict));
    }

    @BeforeEach
    void start() {
        pipeline = TestPipelines.of(
                transport,
                http,
                clock,
                events,
                WorkerSettings.DEFAULTS,
                policy(UsableRule.NONE, false),
                new DestinationSettings(List.of("ruled.example"), "ruled", policy(RULE, false)),
                new DestinationSettings(List.of("strict.example"), "strict", policy(RULE, true)));
        pipeline.start();
    }

    @Test
    void theLateRightAnswerWinsOverTheEarlyEmptyOne() throws Exception {
        offer("{\"any\": [" + branch("a", MATCH) + "," + branch("b", MATCH) + "," + branch("c", MATCH) + "]}");
        Map<String, FakeAttempt> attempts = http.nextByHost(3);

        respond(attempts.get("a"), 204, "");
        await().until(() -> events.checked.size() == 1);
        respond(attempts.get("b"), 200, "{\"match\": false}");
        await().until(() -> events.checked.size() == 2);
        assertThat(transport.published).isEmpty();
        respond(attempts.get("c"), 200, "{\"match\": true}");

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.branch()).isEqualTo(2);
        assertThat(answer.text()).isEqualTo("{\"match\": true}");
        assertThat(answer.unusable()).isNull();
        assertThat(events.checked).containsExactly(Usability.NOT_JSON, Usability.NO_MATCH, Usability.USABLE);
    }

    @Test
    void everyResultSaysWhyItIsNotUsable() throws Exception {
        offer("{\"id\": \"i\", \"any\": [" + branch("a", MATCH) + "," + branch("b", MATCH) + "," + branch("c", MATCH)
                + "," + branch("d", "\"method\": \"GET\"") + "]}");
        Map<String, FakeAttempt> attempts = http.nextByHost(4);

        respond(attempts.get("a"), 500, "{\"match\": true}");
        respond(attempts.get("b"), 200, "{\"match\": false}");
        respond(attempts.get("c"), 200, "<html>");
        respond(attempts.get("d"), 404, "");

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(answer.error().code()).isEqualTo("no-usable-answer");
        assertThat(answer.error().message()).isEqualTo("none of 4 calls had a usable answer");
        assertThat(answer.results())
                .extracting(Answer::unusable)
                .containsExactly("status", "no-match", "not-json", null);
        assertThat(answer.results()).extracting(Answer::status).containsExactly(500, 200, 200, 404);
    }

    @Test
    void aRuleMayAcceptAStatusThatIsNo2xx() throws Exception {
        offer("{\"any\": [" + branch("a", "\"usable\": {\"status\": [404]}") + "," + branch("b", MATCH) + "]}");

        respond(http.nextByHost(2).get("a"), 404, "");

        assertThat(transport.nextPublished().answer().branch()).isZero();
    }

    @Test
    void theRuleOfTheDestinationAppliesToBranchesWithoutOne() throws Exception {
        offer("{\"any\": [" + branch("ruled", "\"method\": \"GET\"") + "," + branch("plain", "\"method\": \"GET\"")
                + "]}");
        Map<String, FakeAttempt> attempts = http.nextByHost(2);

        respond(attempts.get("ruled"), 200, "{\"match\": false}");
        await().until(() -> !events.checked.isEmpty());
        respond(attempts.get("plain"), 200, "");

        assertThat(transport.nextPublished().answer().branch()).isEqualTo(1);
        assertThat(events.checked).containsExactly(Usability.NO_MATCH, Usability.UNCHECKED);
    }

    @Test
    void aSingleCallIsAnsweredAndSaysThatItsAnswerIsNotUsable() throws Exception {
        offer("{\"url\": \"http://ruled.example/\"}");
        respond(http.next(), 200, "{\"match\": null}");

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(answer.unusable()).isEqualTo("no-match");
    }

    @Test
    void allIsAnsweredWhateverIsUsable() throws Exception {
        offer("{\"all\": [" + branch("a", MATCH) + "]}");
        respond(http.next(), 200, "[]");

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(answer.results()).extracting(Answer::unusable).containsExactly("no-match");
    }

    @Test
    void anUnusableAnswerIsRetriedIfTheDestinationSaysSo() throws Exception {
        offer("{\"url\": \"http://strict.example/\"}");
        respond(http.next(), 200, "{\"match\": false}");
        await().until(() -> !events.retried.isEmpty());
        clock.advance(SHORT);
        respond(http.next(), 200, "{\"match\": true}");

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.attempts()).isEqualTo(2);
        assertThat(answer.unusable()).isNull();
        assertThat(events.retried).containsExactly("unusable");
    }

    @Test
    void theLastAnswerIsPublishedIfNoAttemptIsUsable() throws Exception {
        offer("{\"url\": \"http://strict.example/\"}");
        respond(http.next(), 200, "{\"match\": false}");
        await().until(() -> !events.retried.isEmpty());
        clock.advance(SHORT);
        respond(http.next(), 200, "{\"match\": 0}");

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(answer.text()).isEqualTo("{\"match\": 0}");
        assertThat(answer.unusable()).isEqualTo("no-match");
    }

    @Test
    void unusableAnswersOpenTheBreakerIfTheDestinationSaysSo() throws Exception {
        answerUnusably("http://ruled.example/", "");
        assertThat(breaker("ruled")).isEqualTo(BreakerState.CLOSED);

        answerUnusably("http://strict.example/", ", \"retry\": {\"maxAttempts\": 1}");

        assertThat(breaker("strict")).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void theRuleOfASenderNeverOpensTheBreaker() throws Exception {
        answerUnusably("http://strict.example/", ", \"retry\": {\"maxAttempts\": 1}, \"usable\": {\"status\": [299]}");

        assertThat(breaker("strict")).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void aChangedRuleAppliesToTheNextAnswer() throws Exception {
        offer("{\"url\": \"http://ruled.example/\"}");
        FakeAttempt running = http.next();
        pipeline.reconfigure(TestPipelines.settings(
                WorkerSettings.DEFAULTS,
                policy(UsableRule.NONE, false),
                new DestinationSettings(
                        List.of("ruled.example"),
                        "ruled",
                        policy(UsableRule.builder().json("/ok").exists(true).build(), false))));

        respond(running, 200, "{\"ok\": 1}");

        assertThat(transport.nextPublished().answer().unusable()).isNull();
        assertThat(events.checked).containsExactly(Usability.USABLE);
    }

    private void answerUnusably(String url, String more) throws InterruptedException {
        for (int i = 0; i < 2; i++) {
            offer("{\"url\": \"" + url + "\"" + more + "}");
            respond(http.next(), 200, "{\"match\": false}");
            assertThat(transport.nextPublished().answer().unusable()).isNotNull();
        }
    }

    private BreakerState breaker(String destination) {
        return pipeline.destinations().stream()
                .filter(each -> each.name().equals(destination))
                .findFirst()
                .orElseThrow()
                .breaker();
    }

    private static String branch(String host, String more) {
        return "{\"url\": \"http://" + host + ".example/\", " + more + "}";
    }

    private static void respond(FakeAttempt attempt, int status, String body) {
        attempt.end(new HttpResult.Response(
                status, List.of(), body.getBytes(StandardCharsets.UTF_8), false, AttemptTiming.NONE));
    }

    private void offer(String envelope) {
        assertThat(transport.offer(new FakeDelivery(envelope, clock.wallMillis(), Map.of())))
                .isTrue();
    }
}
