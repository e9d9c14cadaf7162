package io.iocluster.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.client.server.UnresponsivePort;
import io.iocluster.http.dns.DnsResolvers;
import io.iocluster.http.dns.FakeDns;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.target.ScriptedServer;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ServerSocketFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls a host of which one address answers, another is silent, and a third refuses connections. */
@Timeout(60)
class SilentAddressTest {

    private static final String GOOD = "127.0.0.2";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1 127.0.0.2",
                "127.0.0.2 127.0.0.1",
                "127.0.0.1 127.0.0.3 127.0.0.2",
                "127.0.0.3 127.0.0.2"
            })
    void theAddressThatAnswersIsCalled(String addresses) throws IOException {
        try (ScriptedServer server = new ScriptedServer(
                        ServerSocketFactory.getDefault(), InetAddress.getByName(GOOD), connection -> {
                            connection.read();
                            connection.send("HTTP/1.1 200 OK\nContent-Length: 0\nConnection: close\n\n");
                        });
                UnresponsivePort silent = new UnresponsivePort(server.port());
                FakeDns dns = new FakeDns(name -> List.of(addresses.split(" ")));
                TestExecutor executor = new TestExecutor(
                        // Longer than the test's timeout: no address may be waited for until the end.
                        RecordCopy.with(HttpSettings.DEFAULTS, "connectTimeout", Duration.ofMinutes(10)),
                        null,
                        DnsResolvers.newResolverGroup(dns.settings(), Platform.system()),
                        TestExecutor.always(TestExecutor.policy("127.0.0.0/8")))) {
            List<Integer> statuses = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                HttpResult.Response response = executor.response(new HttpRequest(
                        "GET", new TargetUrl("http", "partner.example", silent.port(), "/"), List.of(), null));
                statuses.add(response.status());
            }

            assertThat(statuses).containsOnly(200);
            assertThat(executor.connectingTargets()).isZero();
        }
    }
}
