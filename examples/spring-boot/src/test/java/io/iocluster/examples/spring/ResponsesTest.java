package io.iocluster.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.client.ClientConfig;
import io.iocluster.client.ClientFullPolicy;
import io.iocluster.client.IoClusterClient;
import io.iocluster.client.IoClusterException;
import io.iocluster.client.Request;
import io.iocluster.client.fake.FakeAnswer;
import io.iocluster.client.fake.FakeCluster;
import io.iocluster.message.Answer;
import io.iocluster.message.Answer.CallError;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import io.iocluster.transport.PublishResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

class ResponsesTest {

    private final Responses responses = new Responses();

    @Test
    void forwardsThePartnersResponse() {
        ResponseEntity<?> response = Responses.of(new Answer(
                "id",
                Outcome.ANSWERED,
                404,
                List.of(new Header("content-type", "text/plain")),
                "no match".getBytes(StandardCharsets.UTF_8),
                false,
                null,
                1,
                "node-1",
                Answer.Timing.NONE,
                null));

        assertThat(response.getStatusCode().value()).isEqualTo(404);
        assertThat(response.getHeaders().getContentType()).isEqualTo(MediaType.TEXT_PLAIN);
        assertThat((byte[]) response.getBody()).asString(StandardCharsets.UTF_8).isEqualTo("no match");
    }

    @ParameterizedTest
    @CsvSource({
        "DEADLINE_EXCEEDED, 504",
        "TIMEOUT, 504",
        "CONNECT_TIMEOUT, 504",
        "DESTINATION_FULL, 503",
        "BREAKER_OPEN, 503",
        "CONNECT_REFUSED, 502",
        "HOST_NOT_ALLOWED, 500"
    })
    void mapsAnErrorCodeToAStatus(ErrorCode code, int status) {
        ResponseEntity<?> response = Responses.of(new Answer(
                "id",
                code.outcome(),
                0,
                List.of(),
                new byte[0],
                false,
                new CallError(code, "details", SentStatus.NO),
                1,
                "node-1",
                Answer.Timing.NONE,
                null));

        assertThat(response.getStatusCode().value()).isEqualTo(status);
        assertThat(response.getBody())
                .isInstanceOfSatisfying(
                        ProblemDetail.class,
                        problem -> assertThat(problem.getDetail()).isEqualTo(code.wireName()));
    }

    @Test
    void returnsGatewayTimeoutIfNoAnswerArrivesByTheDeadline() throws IOException {
        try (IoClusterClient cluster = clientWithOneSlot()) {
            CompletionStage<Answer> late = call(cluster, Duration.ofMillis(100));

            assertThat(responseTo(late).getStatusCode().value()).isEqualTo(504);
        }
    }

    @Test
    void returnsServiceUnavailableIfTheClientIsFull() throws IOException {
        try (IoClusterClient cluster = clientWithOneSlot()) {
            call(cluster, Duration.ofMinutes(1));

            CompletionStage<Answer> oneMore = call(cluster, Duration.ofMinutes(1));

            assertThat(responseTo(oneMore).getStatusCode().value()).isEqualTo(503);
            assertThat(responseTo(oneMore).getHeaders().getFirst("Retry-After")).isEqualTo("1");
        }
    }

    @Test
    void returnsServiceUnavailableIfTheClientIsClosed() throws IOException {
        IoClusterClient cluster = clientWithOneSlot();
        CompletionStage<Answer> open = call(cluster, Duration.ofMinutes(1));

        cluster.close();

        assertThat(responseTo(open).getStatusCode().value()).isEqualTo(503);
    }

    @Test
    void returnsServiceUnavailableIfTheBrokerRejectsTheRequest() throws IOException {
        try (IoClusterClient cluster =
                clientWithOneSlot(FakeAnswer.notEnqueued(new PublishResult.Failed("no leader")))) {
            CompletionStage<Answer> lost = call(cluster, Duration.ofMinutes(1));

            assertThat(responseTo(lost).getStatusCode().value()).isEqualTo(503);
        }
    }

    private static IoClusterClient clientWithOneSlot() throws IOException {
        return clientWithOneSlot(FakeAnswer.none());
    }

    private static IoClusterClient clientWithOneSlot(FakeAnswer answer) throws IOException {
        FakeCluster cluster = new FakeCluster().answer(call -> true, call -> answer);
        return IoClusterClient.connect(ClientConfig.forTransport(cluster).withMaxOutstanding(1, ClientFullPolicy.FAIL));
    }

    private static CompletionStage<Answer> call(IoClusterClient cluster, Duration within) {
        return cluster.call(
                Request.get("https://partner.example/").deadline(within).build());
    }

    private ResponseEntity<ProblemDetail> responseTo(CompletionStage<Answer> call) {
        Throwable failure = call.handle((answer, failed) -> failed)
                .toCompletableFuture()
                .orTimeout(1, TimeUnit.MINUTES)
                .join();
        return responses.unanswered((IoClusterException) failure.getCause());
    }
}
