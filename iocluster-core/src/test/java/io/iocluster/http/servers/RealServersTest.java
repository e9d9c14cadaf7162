package io.iocluster.http.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the lines of the {@linkplain ServerMatrix matrix} that end the most connections. {@code bin/servers} runs all of them. */
@Timeout(300)
class RealServersTest {

    private static final int CALLS = 1_000;

    @ParameterizedTest
    @CsvSource({
        "nginx, keepalive-limit, h2-tls1.3",
        "nginx, reload, h1",
        "nginx, reload, h2-tls1.3",
        "nginx, posts-100, h2-tls1.2",
        "nginx, body-limit, h2-tls1.3",
        "node, keepalive-limit, h2-tls1.3",
        "node, early-answer, h1",
        "node, refused-streams, h2-tls1.3",
        "netty, keepalive-limit, h2-tls1.3",
        "netty, refused-streams, h2-tls1.3"
    })
    void saysWhatTheServerProcessed(String server, String fault, String protocol) throws Exception {
        TestedServer tested = TestedServer.of(server);
        assumeTrue(tested.isInstalled(), server + " is not installed");

        Verdict verdict = ServerMatrix.run(tested, Fault.of(fault), Protocol.of(protocol), CALLS);

        assertThat(verdict.violations()).as(verdict.toString()).isEmpty();
        assertThat(verdict.answered()).as(verdict.toString()).isEqualTo(verdict.calls() - verdict.maybe());
    }
}
