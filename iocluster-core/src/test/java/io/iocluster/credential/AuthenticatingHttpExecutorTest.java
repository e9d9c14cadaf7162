package io.iocluster.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.credential.FakeIdentityServer.SeenRequest;
import io.iocluster.credential.OAuth2Settings.ClientAuth;
import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.client.NettyHttpExecutorFactory;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.SentStatus;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.thread.Platform;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests credentials on real HTTP calls. */
@Timeout(60)
class AuthenticatingHttpExecutorTest {

    private final FakeIdentityServer server = new FakeIdentityServer();
    private final List<AutoCloseable> closeables = new ArrayList<>(List.of(server));
    private final CredentialStore credentials = new CredentialStore(Map.of(), Platform.system());
    private volatile EgressPolicy egress = policy("127.0.0.0/8");
    private final NettyHttpExecutorFactory executors = new NettyHttpExecutorFactory(() -> egress, Platform.system());
    private final EventLoopGroup loop = loop();
    private final AuthenticatingHttpExecutor executor = executor(loop);

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : closeables) {
            each.close();
        }
    }

    @Test
    void sendsTheHeadersOfTheCredentialAndOfTheCall() {
        credentials.replace(Map.of("a", headers(Map.of("X-Key", "k1"))));

        assertThat(status(call("a", new Header("X-Mine", "m")))).isEqualTo(200);

        assertThat(server.calls)
                .singleElement()
                .satisfies(call ->
                        assertThat(call.headers()).containsEntry("x-key", "k1").containsEntry("x-mine", "m"));
    }

    @Test
    void sendsBasicAuthentication() {
        credentials.replace(
                Map.of("a", settings(Map.of(), "", new BasicAuthSettings("jo", "pä:ss"), OAuth2Settings.NONE)));

        call("a");

        String pair = Base64.getEncoder().encodeToString("jo:pä:ss".getBytes(StandardCharsets.UTF_8));
        assertThat(server.calls).extracting(SeenRequest::authorization).containsExactly("Basic " + pair);
    }

    @Test
    void sendsABearerToken() {
        credentials.replace(Map.of("a", settings(Map.of(), "abc", BasicAuthSettings.NONE, OAuth2Settings.NONE)));

        call("a");

        assertThat(server.calls).extracting(SeenRequest::authorization).containsExactly("Bearer abc");
    }

    @Test
    void rejectsAnotherHostAnotherSchemeAndAHeaderOfTheCredential() {
        credentials.replace(Map.of(
                "elsewhere", bound(List.of("partner.example"), List.of("http")),
                "secure", bound(List.of("127.0.0.1"), List.of("https")),
                "a", headers(Map.of("X-Key", "k1"))));

        assertThat(failure(call("unknown")).code()).isEqualTo(ErrorCode.UNKNOWN_CREDENTIAL);
        assertThat(failure(call("elsewhere")).code()).isEqualTo(ErrorCode.UNKNOWN_CREDENTIAL);
        assertThat(failure(call("secure")).code()).isEqualTo(ErrorCode.UNKNOWN_CREDENTIAL);
        assertThat(failure(call("a", new Header("x-key", "mine"))).code()).isEqualTo(ErrorCode.FORBIDDEN_HEADER);
        assertThat(server.calls).isEmpty();
    }

    @Test
    void usesTheCredentialThatIsCurrentWhenTheAttemptStarts() {
        credentials.replace(Map.of("a", headers(Map.of("X-Key", "old"))));
        call("a");
        credentials.replace(Map.of("a", headers(Map.of("X-Key", "new"))));
        call("a");

        assertThat(server.calls).extracting(call -> call.headers().get("x-key")).containsExactly("old", "new");
    }

    @Test
    void fetchesOneTokenForSeveralLoopsAndKeepsItWhenOtherCredentialsChange() {
        AuthenticatingHttpExecutor other = executor(loop());
        CredentialSettings fetched = oauth2(ClientAuth.BASIC, Duration.ofSeconds(5));
        credentials.replace(Map.of("a", fetched));
        CountDownLatch gate = new CountDownLatch(1);
        server.fetches(fetch -> awaitGate(gate));

        List<CompletableFuture<HttpResult>> calls = IntStream.range(0, 20)
                .mapToObj(i -> start(i % 2 == 0 ? executor : other, "a", Duration.ofSeconds(10)))
                .toList();
        await().until(() -> server.fetches.size() == 1);
        gate.countDown();

        assertThat(calls).allSatisfy(call -> assertThat(status(call.join())).isEqualTo(200));
        credentials.replace(Map.of("a", fetched, "b", headers(Map.of("X-Key", "k"))));
        call("a");
        assertThat(server.fetches).hasSize(1);
        assertThat(server.calls)
                .hasSize(21)
                .extracting(SeenRequest::authorization)
                .containsOnly("Bearer t1");
    }

    @Test
    void sendsTokenRequestsAsRfc6749Defines() {
        credentials.replace(Map.of("a", oauth2(ClientAuth.BASIC, Duration.ofSeconds(5))));
        call("a");
        credentials.replace(Map.of("a", oauth2(ClientAuth.BODY, Duration.ofSeconds(5))));
        call("a");

        SeenRequest inHeader = server.fetches.get(0);
        String pair = Base64.getEncoder().encodeToString("cl%3Aient:s%26ecret".getBytes(StandardCharsets.UTF_8));
        assertThat(inHeader.authorization()).isEqualTo("Basic " + pair);
        assertThat(inHeader.headers()).containsEntry("content-type", "application/x-www-form-urlencoded");
        assertThat(form(inHeader)).isEqualTo("grant_type=client_credentials&scope=a b&audience=x");
        SeenRequest inBody = server.fetches.get(1);
        assertThat(inBody.authorization()).isNull();
        assertThat(form(inBody)).endsWith("&client_id=cl:ient&client_secret=s&ecret");
    }

    @Test
    void retriesACallWithANewTokenAfterA401() {
        credentials.replace(Map.of("a", oauth2(ClientAuth.BASIC, Duration.ofSeconds(5))));
        server.calls(call -> call.authorization().equals("Bearer t1") ? 401 : 200);

        assertThat(status(call("a"))).isEqualTo(200);

        assertThat(server.calls).extracting(SeenRequest::authorization).containsExactly("Bearer t1", "Bearer t2");
        assertThat(server.calls).extracting(SeenRequest::body).containsExactly("body", "body");
    }

    @Test
    void returnsThe401OfATargetThatRefusesEveryToken() {
        credentials.replace(Map.of("a", oauth2(ClientAuth.BASIC, Duration.ofSeconds(5))));
        server.calls(call -> 401);

        assertThat(status(call("a"))).isEqualTo(401);
        assertThat(status(call("a"))).isEqualTo(401);

        assertThat(server.fetches).hasSize(2);
        assertThat(server.calls).hasSize(3);
    }

    @Test
    void theTargetHasSeenACallThatItAnsweredWith401EvenIfTheCallCannotBeSentAgain() {
        credentials.replace(Map.of("a", oauth2(ClientAuth.BASIC, Duration.ofSeconds(5))));
        server.calls(call -> 401);
        server.fetches(fetch -> {
            if (server.fetches.size() == 2) {
                egress = policy();
            }
            return 200;
        });

        HttpResult.Failure failure = failure(call("a"));

        assertThat(failure.code()).isEqualTo(ErrorCode.ADDRESS_NOT_ALLOWED);
        assertThat(failure.sent()).isEqualTo(SentStatus.MAYBE);
        assertThat(server.calls).hasSize(1);
    }

    @Test
    void failsCallsWithoutANewTokenRequestAfterOneFailed() {
        credentials.replace(Map.of("a", oauth2(ClientAuth.BASIC, Duration.ofSeconds(5))));
        server.fetches(fetch -> 401);

        for (int i = 0; i < 3; i++) {
            HttpResult.Failure failure = failure(call("a"));
            assertThat(failure.code()).isEqualTo(ErrorCode.CREDENTIAL_UNAVAILABLE);
            assertThat(failure.sent()).isEqualTo(SentStatus.NO);
            assertThat(failure.message()).isEqualTo("the token endpoint returned status 401, invalid_client");
        }
        assertThat(server.fetches).hasSize(1);
        assertThat(server.calls).isEmpty();
    }

    @Test
    void waitsForATokenOnlyUntilTheAttemptsTimeout() {
        credentials.replace(Map.of("a", oauth2(ClientAuth.BASIC, Duration.ofSeconds(5))));
        CountDownLatch gate = new CountDownLatch(1);
        closeables.add(gate::countDown);
        server.fetches(fetch -> awaitGate(gate));

        HttpResult.Failure failure =
                failure(start(executor, "a", Duration.ofMillis(200)).join());

        assertThat(failure.code()).isEqualTo(ErrorCode.CREDENTIAL_UNAVAILABLE);
        gate.countDown();
        assertThat(status(call("a"))).isEqualTo(200);
        assertThat(server.fetches).hasSize(1);
    }

    @Test
    void failsIfTheTokenRequestTimesOut() {
        credentials.replace(Map.of("a", oauth2(ClientAuth.BASIC, Duration.ofSeconds(1))));
        CountDownLatch gate = new CountDownLatch(1);
        closeables.add(0, gate::countDown);
        server.fetches(fetch -> awaitGate(gate));

        assertThat(failure(call("a")).message()).isEqualTo("the token could not be fetched: timeout");
    }

    @Test
    void fetchesNoTokenFromAForbiddenUrl() {
        credentials.replace(Map.of("a", oauth2(ClientAuth.BASIC, Duration.ofSeconds(5))));
        egress = policy();

        HttpResult.Failure failure = failure(call("a"));

        assertThat(failure.code()).isEqualTo(ErrorCode.CREDENTIAL_UNAVAILABLE);
        assertThat(failure.message()).isEqualTo("the egress policy rejects the token URL: address-not-allowed");
        assertThat(server.fetches).isEmpty();
    }

    private HttpResult call(String credential, Header... headers) {
        return start(executor, credential, Duration.ofSeconds(10), headers).join();
    }

    private CompletableFuture<HttpResult> start(
            AuthenticatingHttpExecutor on, String credential, Duration timeout, Header... headers) {
        HttpRequest request = new HttpRequest(
                "POST",
                new TargetUrl("http", "127.0.0.1", server.port(), "/"),
                List.of(headers),
                "body".getBytes(StandardCharsets.UTF_8),
                credential,
                "call-1",
                null,
                null);
        CompletableFuture<HttpResult> result = new CompletableFuture<>();
        on.loop()
                .execute(() -> on.execute(request, timeout, bytes -> true).whenComplete((value, bug) -> {
                    if (bug == null && on.loop().inEventLoop()) {
                        result.complete(value);
                    } else {
                        result.completeExceptionally(bug == null ? new AssertionError("not on the loop") : bug);
                    }
                }));
        return result.orTimeout(1, TimeUnit.MINUTES);
    }

    private static int status(HttpResult result) {
        assertThat(result).isInstanceOf(HttpResult.Response.class);
        return ((HttpResult.Response) result).status();
    }

    private static HttpResult.Failure failure(HttpResult result) {
        assertThat(result).isInstanceOf(HttpResult.Failure.class);
        return (HttpResult.Failure) result;
    }

    private static int awaitGate(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
        return 200;
    }

    private static String form(SeenRequest fetch) {
        return URLDecoder.decode(fetch.body(), StandardCharsets.UTF_8);
    }

    private AuthenticatingHttpExecutor executor(EventLoopGroup group) {
        AuthenticatingHttpExecutor created = new AuthenticatingHttpExecutor(
                executors.newExecutor(group, HttpSettings.DEFAULTS),
                group.next(),
                credentials,
                () -> egress,
                Platform.system());
        closeables.add(0, created);
        return created;
    }

    private EventLoopGroup loop() {
        EventLoopGroup group = NettyHttpExecutorFactory.newEventLoop(new DefaultThreadFactory("test-loop", true));
        closeables.add(() -> group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly());
        return group;
    }

    private static EgressPolicy policy(String... networks) {
        return new EgressPolicy(
                RecordCopy.with(EgressSettings.DEFAULTS, "ports", List.of(), "allowNetworks", List.of(networks)));
    }

    private static CredentialSettings headers(Map<String, String> headers) {
        return settings(headers, "", BasicAuthSettings.NONE, OAuth2Settings.NONE);
    }

    private static CredentialSettings bound(List<String> hosts, List<String> schemes) {
        return RecordCopy.with(TestCredentials.bearer("a.example", "abc"), "hosts", hosts, "schemes", schemes);
    }

    private CredentialSettings oauth2(ClientAuth clientAuth, Duration timeout) {
        return settings(
                Map.of(),
                "",
                BasicAuthSettings.NONE,
                new OAuth2Settings(
                        server.tokenUrl(),
                        "cl:ient",
                        "s&ecret",
                        "a b",
                        clientAuth,
                        Map.of("audience", "x"),
                        timeout,
                        Duration.ofMinutes(5),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(30)));
    }

    private static CredentialSettings settings(
            Map<String, String> headers, String bearer, BasicAuthSettings basic, OAuth2Settings oauth2) {
        return TestCredentials.of("127.0.0.1", "headers", headers, "bearer", bearer, "basic", basic, "oauth2", oauth2);
    }
}
