package io.iocluster.transport.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.log.LogLines;
import io.iocluster.thread.Platform;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests what the log says about an outage. */
class ProblemLogTest {

    @RegisterExtension
    final LogLines log = new LogLines(ProblemLogTest.class);

    private final ProblemLog problem = new ProblemLog(log.logger(), "not connected yet", Platform.system());

    @Test
    void saysHowLongTheProblemTookAndWhatItWas() {
        problem.raise("Reading failed", new IOException("refused"));
        problem.raise("Reading failed", new IOException("no answer"));

        problem.clear();

        assertThat(log.lines()).hasSize(2);
        assertThat(log.lines().get(0)).isEqualTo("WARN Reading failed: refused; retrying");
        assertThat(log.lines().get(1)).matches("INFO Recovered after=\\d+m?s problem=\"Reading failed: no answer\"");
    }

    @Test
    void saysNothingOfARecoveryIfTheProblemWasNotLogged() {
        problem.clear();

        assertThat(log.lines()).isEmpty();
        assertThat(problem.problem()).isNull();
    }
}
