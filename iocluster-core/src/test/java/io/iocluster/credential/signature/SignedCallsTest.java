package io.iocluster.credential.signature;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.cache.CacheSettings;
import io.iocluster.credential.CredentialSettings;
import io.iocluster.credential.TestCredentials;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.message.Answer;
import io.iocluster.pipeline.FakeTransport;
import io.iocluster.pipeline.FakeTransport.PublishedMessage;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.target.ScriptedServer;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Tracing;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the signatures that a target receives, which the test verifies with its own code. */
@Timeout(60)
class SignedCallsTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String NEW_SECRET = "whsec_bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmV3";
    private static final String OK = "HTTP/1.1 200 OK\nContent-Length: 2\n\nok";

    /** Responses of the target to its first requests. It answers all others with 200. */
    private final Queue<String> responses = new ConcurrentLinkedQueue<>();

    private final ScriptedServer target = new ScriptedServer(connection -> {
        while (connection.read() != null) {
            String response = responses.poll();
            connection.send(response == null ? OK : response);
        }
    });
    private final FakeTransport transport = new FakeTransport();
    private Pipeline pipeline;

    @AfterEach
    void stop() {
        pipeline.close();
        target.close();
    }

    @Test
    void eachAttemptOfACallHasItsOwnTimestampAndTheSameId() throws Exception {
        start(webhooks(SECRET));
        responses.add("HTTP/1.1 503 Busy\nRetry-After: 1\nContent-Length: 0\n\n");
        responses.add("HTTP/1.1 503 Busy\nRetry-After: 1\nContent-Length: 0\n\n");

        long before = Instant.now().getEpochSecond();
        Answer answer = call(
                "{\"id\":\"order.42\",%s\",\"auth\":\"a\",\"method\":\"PUT\",\"body\":\"{\\\"name\\\":\\\"Zoë\\\"}\"}");

        assertThat(answer.status()).isEqualTo(200);
        List<SeenCall> seen = seen();
        assertThat(seen).hasSize(3).allSatisfy(each -> {
            assertThat(each.header("webhook-id")).isEqualTo("order%2E42");
            assertThat(each.body()).isEqualTo(new String("{\"name\":\"Zoë\"}".getBytes("UTF-8"), ISO_8859_1));
            assertThat(each.header("webhook-signature")).isEqualTo(each.webhookSignature(SECRET));
        });
        assertThat(seen.stream().map(each -> Long.parseLong(each.header("webhook-timestamp"))))
                .doesNotHaveDuplicates()
                .isSorted()
                .allMatch(second -> second >= before && second <= Instant.now().getEpochSecond());
    }

    @Test
    void aCallWithoutAnIdIsSignedWithItsPosition() throws Exception {
        start(webhooks(SECRET));

        call("{%s\",\"auth\":\"a\"}");

        assertThat(seen()).singleElement().satisfies(each -> {
            assertThat(each.header("webhook-id")).isEqualTo("requests-0@7");
            assertThat(each.header("webhook-signature")).isEqualTo(each.webhookSignature(SECRET));
        });
    }

    @Test
    void eachCallOfAnEnvelopeHasItsOwnId() throws Exception {
        start(webhooks(SECRET));

        call("{\"id\":\"launch\",\"all\":[{%1$s\",\"auth\":\"a\"},{%1$s\",\"auth\":\"a\"}]}");

        assertThat(seen())
                .extracting(each -> each.header("webhook-id"))
                .containsExactlyInAnyOrder("launch/0", "launch/1");
    }

    @Test
    void aRotatedSecretSignsTheNextAttempt() throws Exception {
        start(webhooks(SECRET));
        call("{%s\",\"auth\":\"a\"}");

        pipeline.reconfigure(settings(webhooks(NEW_SECRET, SECRET), policy()));
        call("{%s\",\"auth\":\"a\"}");
        pipeline.reconfigure(settings(webhooks(NEW_SECRET), policy()));
        call("{%s\",\"auth\":\"a\"}");

        List<SeenCall> seen = seen();
        assertThat(seen.get(0).header("webhook-signature"))
                .isEqualTo(seen.get(0).webhookSignature(SECRET));
        assertThat(seen.get(1).header("webhook-signature"))
                .isEqualTo(seen.get(1).webhookSignature(NEW_SECRET) + " "
                        + seen.get(1).webhookSignature(SECRET));
        assertThat(seen.get(2).header("webhook-signature"))
                .isEqualTo(seen.get(2).webhookSignature(NEW_SECRET));
    }

    @ParameterizedTest
    @ValueSource(strings = {"webhook-id", "Webhook-Timestamp", "WEBHOOK-SIGNATURE"})
    void rejectsAnEnvelopeThatSetsAHeaderOfTheSignature(String header) throws Exception {
        start(webhooks(SECRET));

        Answer answer = call("{%s\",\"auth\":\"a\",\"headers\":{\"" + header + "\":\"mine\"}}");

        assertThat(answer.error().code()).isEqualTo("forbidden-header");
        assertThat(answer.error().message()).isEqualTo("the header " + header + " is set by the credential a");
        assertThat(target.requests()).isEmpty();
    }

    @Test
    void aSignedCallIsCachedWithoutItsSignature() throws Exception {
        CacheSettings minute =
                RecordCopy.with(CacheSettings.DEFAULTS, "ttl", Duration.ofMinutes(1), "respectCacheControl", false);
        DestinationPolicy cached = RecordCopy.with(policy(), "cache", minute);
        start(webhooks(SECRET), cached);

        assertThat(call("{\"id\":\"1\",%s\",\"auth\":\"a\"}").cache().hit()).isFalse();
        assertThat(call("{\"id\":\"2\",%s\",\"auth\":\"a\"}").cache().hit()).isTrue();
        pipeline.reconfigure(settings(webhooks(NEW_SECRET), cached));
        assertThat(call("{\"id\":\"3\",%s\",\"auth\":\"a\"}").cache().hit()).isFalse();

        assertThat(seen()).extracting(each -> each.header("webhook-id")).containsExactly("1", "3");
    }

    @Test
    void awsSignsTheBytesOfEachAttemptAtItsTime() throws Exception {
        start(aws("secret", "token"));
        responses.add("HTTP/1.1 503 Busy\nRetry-After: 1\nContent-Length: 0\n\n");

        Answer answer = call("{%s?q=a+b&a:b=%%2f&&x\",\"auth\":\"a\",\"method\":\"PUT\",\"body\":\"Zoë\",\"headers\":"
                + "{\"X-Amz-Target\":\"T\",\"X-List\":[\"b  c\",\"a\"]}}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(target.requests()).hasSize(2).allSatisfy(wire -> {
            assertThat(wire).startsWith("PUT /hook?q=a%20b&a%3Ab=%2F&x HTTP/1.1");
            assertThat(SigV4Verifier.isValid(wire, "secret")).as(wire).isTrue();
        });
        assertThat(seen())
                .extracting(each -> each.header("x-amz-security-token"))
                .containsOnly("token");
        assertThat(seen()).extracting(each -> each.header("x-amz-date")).doesNotHaveDuplicates();
        assertThat(seen().get(0).header("authorization"))
                .contains(
                        "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token;x-amz-target;x-list;x-own,");
    }

    @Test
    void awsSignsACallWithoutABodyAndThenWithARotatedSecret() throws Exception {
        start(aws("old", ""));
        call("{%s\",\"auth\":\"a\"}");
        pipeline.reconfigure(settings(aws("new", ""), policy()));
        call("{%s\",\"auth\":\"a\"}");

        assertThat(SigV4Verifier.isValid(target.requests().get(0), "old")).isTrue();
        assertThat(SigV4Verifier.isValid(target.requests().get(1), "new")).isTrue();
        assertThat(seen())
                .allSatisfy(
                        each -> assertThat(each.header("x-amz-security-token")).isNull());
    }

    @ParameterizedTest
    @ValueSource(strings = {"authorization", "X-AMZ-Date", "x-amz-content-sha256", "X-Amz-Security-Token"})
    void rejectsAnEnvelopeThatSetsAHeaderOfAnAwsSignature(String header) throws Exception {
        start(aws("secret", ""));

        assertThat(call("{%s\",\"auth\":\"a\",\"headers\":{\"" + header + "\":\"mine\"}}")
                        .error()
                        .code())
                .isEqualTo("forbidden-header");
        assertThat(call("{%s?X-Amz-Signature=mine\",\"auth\":\"a\"}").error().code())
                .isEqualTo("invalid-url");
        assertThat(target.requests()).isEmpty();
    }

    private void start(CredentialSettings credential) {
        start(credential, policy());
    }

    private void start(CredentialSettings credential, DestinationPolicy policy) {
        pipeline = new Pipeline(
                settings(credential, policy), transport, PipelineEvents.NONE, Tracing.OFF, Platform.system());
        pipeline.start();
    }

    private static PipelineSettings settings(CredentialSettings credential, DestinationPolicy policy) {
        PipelineSettings settings = TestPipelines.settings(WorkerSettings.DEFAULTS.withSize(1, 4), policy);
        return RecordCopy.with(
                settings,
                "http",
                RecordCopy.with(settings.http(), "maxRequestBody", DataSize.ofMebibytes(1)),
                "egress",
                RecordCopy.with(EgressSettings.DEFAULTS, "ports", List.of(), "allowNetworks", List.of("127.0.0.0/8")),
                "credentials",
                Map.of("a", credential));
    }

    private static DestinationPolicy policy() {
        return TestPipelines.policy(
                0, 0, RetrySettings.DEFAULTS.withAttempts(3, Duration.ofMillis(1), Duration.ofMillis(1)));
    }

    private static CredentialSettings webhooks(String... secrets) {
        return TestCredentials.of("127.0.0.1", "standardWebhooks", new StandardWebhooksSettings(List.of(secrets)));
    }

    private static CredentialSettings aws(String secret, String sessionToken) {
        return TestCredentials.of(
                "127.0.0.1",
                "headers",
                Map.of("X-Own", "of the credential"),
                "awsSigV4",
                new AwsSigV4Settings("AKIDEXAMPLE", secret, sessionToken, "eu-west-1", "execute-api"));
    }

    /** Makes one call with an envelope in which {@code %s} stands for the start of the URL of the target. */
    private Answer call(String envelope) throws InterruptedException {
        String json = envelope.formatted("\"url\":\"http://127.0.0.1:" + target.port() + "/hook");
        assertThat(transport.offer(new FakeDelivery(json))).isTrue();
        PublishedMessage published = transport.nextPublished();
        published.confirm();
        return published.answer();
    }

    private List<SeenCall> seen() {
        return target.requests().stream().map(SeenCall::new).toList();
    }

    /** A request as it came over the wire. */
    private record SeenCall(String wire) {

        String header(String name) {
            return headers(name).findFirst().orElse(null);
        }

        private Stream<String> headers(String name) {
            return wire.substring(0, wire.indexOf("\r\n\r\n"))
                    .lines()
                    .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                    .map(line -> line.substring(name.length() + 1).strip());
        }

        String body() {
            return wire.substring(wire.indexOf("\r\n\r\n") + 4);
        }

        String webhookSignature(String secret) throws Exception {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
            String content = header("webhook-id") + "." + header("webhook-timestamp") + "." + body();
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(content.getBytes(ISO_8859_1)));
        }
    }
}
