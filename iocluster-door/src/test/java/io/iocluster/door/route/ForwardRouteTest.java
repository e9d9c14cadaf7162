package io.iocluster.door.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.door.http.Problem;
import io.iocluster.message.Answer;
import io.iocluster.message.Answer.CallError;
import io.iocluster.message.Answer.Timing;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardRouteTest {

    @ParameterizedTest
    @CsvSource({"APP_OVER_QUOTA, 429", "DESTINATION_FULL, 503", "BREAKER_OPEN, 503", "OUT_OF_MEMORY_BUDGET, 503"})
    void aCallThatMaySucceedLaterHasRetryAfter(ErrorCode code, int status) {
        Problem problem = ForwardRoute.problem(failed(code));

        assertThat(problem.status()).isEqualTo(status);
        assertThat(problem.headers()).containsEntry("retry-after", "1");
    }

    @ParameterizedTest
    @CsvSource({"TIMEOUT, 504", "CONNECT_REFUSED, 502", "INTERNAL, 500"})
    void anotherFailureHasNoRetryAfter(ErrorCode code, int status) {
        Problem problem = ForwardRoute.problem(failed(code));

        assertThat(problem.status()).isEqualTo(status);
        assertThat(problem.headers()).isEmpty();
    }

    private static Answer failed(ErrorCode code) {
        CallError error = new CallError(code, "failed", SentStatus.NO);
        return new Answer("a", Outcome.FAILED, 0, List.of(), new byte[0], false, error, 1, "n", Timing.NONE, null);
    }
}
