package io.iocluster.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.message.ErrorCode;
import io.iocluster.testkit.target.ScriptedServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A target that changes the keys of TLS 1.3 while it handles a request. */
@Timeout(60)
class TlsKeyUpdateTest extends ExecutorFixture {

    @Test
    void acceptsSomeKeyUpdatesDuringEachCall() {
        ScriptedServer target = targetWithKeyUpdates(30);
        TestExecutor executor = open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));

        for (int call = 1; call <= 3; call++) {
            assertThat(executor.response(get(target)).status()).isEqualTo(200);
        }
        assertThat(target.connections()).isEqualTo(1);
    }

    @Test
    void endsACallDuringWhichTheTargetUpdatesItsKeysOften() {
        ScriptedServer target = targetWithKeyUpdates(1_000);
        TestExecutor executor = open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));

        HttpResult.Failure failure = executor.failure(get(target));

        assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        assertThat(failure.message()).contains("too many TLS records");
    }

    /** @param times key updates that it starts during each request */
    private ScriptedServer targetWithKeyUpdates(int times) {
        return open(new ScriptedServer(AUTHORITY.context(), List.of(), connection -> {
            while (connection.read() != null) {
                for (int i = 0; i < times; i++) {
                    connection.protocol(); // A further handshake of TLS 1.3 is a key update.
                }
                connection.send(OK);
            }
        }));
    }

    private static HttpRequest get(ScriptedServer target) {
        return new HttpRequest("GET", new TargetUrl("https", "127.0.0.1", target.port(), "/"), List.of(), null);
    }
}
