package io.iocluster.node.door.grpc;

import static io.iocluster.node.door.grpc.GrpcCaller.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NegotiationType;
import io.grpc.stub.StreamObserver;
import io.iocluster.node.door.DoorFixture;
import io.iocluster.node.door.grpc.GrpcCaller.Refusal;
import io.iocluster.node.tls.PrivateAuthority;
import io.iocluster.v1.Answer;
import io.iocluster.v1.CallResult;
import io.iocluster.v1.Envelope;
import io.iocluster.v1.GetCallRequest;
import io.netty.handler.ssl.SslContext;
import io.netty.pkitesting.X509Bundle;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may use the gRPC server, and how much. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrpcAccessTest {

    private static final String[] SHOP = {"authorization", "Bearer s3cr3t"};

    private DoorFixture tokens;
    private GrpcCaller caller;

    @BeforeAll
    void start() {
        tokens = new DoorFixture(GrpcCaller.ENABLED
                + ", apps: [{name: shop, token: s3cr3t, max-in-flight: 1}, {name: billing, token: other}]");
        caller = new GrpcCaller(tokens);
    }

    @AfterAll
    void stop() {
        caller.close();
        tokens.close();
    }

    @Test
    void everyCallNeedsATokenIfOneAppHasOne() {
        Envelope envelope = caller.envelope("/ok");
        long before = tokens.targetRequests();

        assertUnauthenticated(refusal(() -> caller.calls().call(envelope)));
        assertUnauthenticated(
                refusal(() -> caller.calls("authorization", "Bearer s3cr3").call(envelope)));
        assertUnauthenticated(
                refusal(() -> caller.calls("authorization", "s3cr3t").call(envelope)));
        assertThat(tokens.targetRequests()).isEqualTo(before);
        assertThat(caller.calls("authorization", "bearer other").call(envelope).getStatus())
                .isEqualTo(200);
    }

    private static void assertUnauthenticated(Refusal refusal) {
        assertThat(refusal.code()).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(refusal.trailer("iocluster-code")).isEqualTo("unauthorized");
    }

    @Test
    void aHealthCheckNeedsNoToken() {
        assertThat(HealthGrpc.newBlockingStub(caller.channel())
                        .check(HealthCheckRequest.getDefaultInstance())
                        .getStatus())
                .isEqualTo(ServingStatus.SERVING);
    }

    @Test
    void theLimitsOfAnAppCountItsCallsOverHttpToo() {
        CompletableFuture<?> held = CompletableFuture.supplyAsync(
                () -> tokens.post(tokens.envelope("/held?id=held"), "Authorization", "Bearer s3cr3t"));
        await().until(() -> tokens.get("/metrics", "Authorization", "Bearer other")
                .body()
                .contains("iocluster_door_in_flight 1.0"));

        Refusal second = refusal(() -> caller.calls(SHOP).call(caller.envelope("/ok")));
        Answer other = caller.calls("authorization", "Bearer other").call(caller.envelope("/ok"));
        tokens.target.releaseHeld();
        held.join();

        assertThat(second.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(second.trailer("iocluster-code")).isEqualTo("app-over-quota");
        assertThat(second.trailer("retry-after")).isEqualTo("1");
        assertThat(second.trailer("grpc-retry-pushback-ms")).isEqualTo("1000");
        assertThat(other.getStatus()).isEqualTo(200);
    }

    @Test
    void requestsBeyondTheLimitAreRefusedUntilOneEnds() {
        try (DoorFixture small = new DoorFixture(GrpcCaller.ENABLED + ", limits: {max-requests: 1}");
                GrpcCaller client = new GrpcCaller(small)) {
            RecordedStream<CallResult> results = new RecordedStream<>();
            StreamObserver<Envelope> requests = client.async().streamCalls(results);
            requests.onNext(client.envelope("/ok"));
            assertThat(results.next().getAnswer().getStatus()).isEqualTo(200);

            Refusal refused = refusal(() -> client.calls().call(client.envelope("/ok")));
            requests.onCompleted();

            assertThat(refused.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(refused.trailer("iocluster-code")).isEqualTo("door-full");
            assertThat(results.end().code()).isEqualTo(Status.Code.OK);
            await().ignoreExceptions()
                    .until(() -> client.calls().call(client.envelope("/ok")).getStatus() == 200);
        }
    }

    @Test
    void anAnswerIsThereOverBothProtocols() {
        String id = caller.calls("authorization", "Bearer other")
                .callAsync(caller.envelope("/ok"))
                .getId();

        assertThat(caller.calls("authorization", "Bearer other")
                        .getCall(GetCallRequest.newBuilder()
                                .setId(id)
                                .setWaitMs(10_000)
                                .build())
                        .getAnswer()
                        .getStatus())
                .isEqualTo(200);
        assertThat(tokens.get("/v1/calls/" + id, "Authorization", "Bearer other")
                        .statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"origin, http://evil.example", "sec-fetch-site, cross-site"})
    void aWebPageCannotUseTheDoor(String name, String value) {
        assertForbidden(refusal(
                () -> caller.calls("authorization", "Bearer other", name, value).call(caller.envelope("/ok"))));
    }

    @Test
    void aClientThatAsksForAnotherHostCannotUseTheDoorWithoutAToken() {
        try (DoorFixture open = new DoorFixture(GrpcCaller.ENABLED);
                GrpcCaller rebound = new GrpcCaller(open, options -> options.overrideAuthority("evil.example"))) {
            assertForbidden(refusal(() -> rebound.calls().call(rebound.envelope("/ok"))));
        }
    }

    private static void assertForbidden(Refusal refusal) {
        assertThat(refusal.code()).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refusal.trailer("iocluster-code")).isEqualTo("forbidden");
    }

    @Test
    void theCommonNameOfTheClientCertificateIsTheApp(@TempDir Path folder) throws Exception {
        PrivateAuthority authority = new PrivateAuthority("CN=authority");
        String tls = authority.doorTls(folder, "CN=door");
        try (DoorFixture secure = new DoorFixture(GrpcCaller.ENABLED + ", " + tls)) {
            try (GrpcCaller shop = new GrpcCaller(
                    secure,
                    options -> options.negotiationType(NegotiationType.TLS).sslContext(client(authority, "CN=shop")))) {
                String id = shop.calls().callAsync(shop.envelope("/ok")).getId();
                GetCallRequest get =
                        GetCallRequest.newBuilder().setId(id).setWaitMs(10_000).build();

                assertThat(shop.calls("iocluster-app", "other-app").getCall(get).hasAnswer())
                        .isTrue();
                try (GrpcCaller other = new GrpcCaller(
                        secure,
                        options -> options.negotiationType(NegotiationType.TLS)
                                .sslContext(client(authority, "CN=billing")))) {
                    assertThat(refusal(() -> other.calls().getCall(get)).code()).isEqualTo(Status.Code.NOT_FOUND);
                }
            }
            try (GrpcCaller unnamed = new GrpcCaller(
                    secure,
                    options ->
                            options.negotiationType(NegotiationType.TLS).sslContext(client(authority, "CN=No App")))) {
                assertForbidden(refusal(() -> unnamed.calls().call(unnamed.envelope("/ok"))));
            }
            try (GrpcCaller without = new GrpcCaller(
                    secure,
                    options -> options.negotiationType(NegotiationType.TLS).sslContext(client(authority, null)))) {
                assertForbidden(refusal(() -> without.calls().call(without.envelope("/ok"))));
                assertThat(HealthGrpc.newBlockingStub(without.channel())
                                .check(HealthCheckRequest.getDefaultInstance())
                                .getStatus())
                        .isEqualTo(ServingStatus.SERVING);
            }
        }
    }

    private static SslContext client(PrivateAuthority authority, String subject) {
        try {
            var context =
                    GrpcSslContexts.forClient().trustManager(authority.bundle().getCertificate());
            if (subject != null) {
                X509Bundle client = authority.issue(subject);
                context.keyManager(client.getKeyPair().getPrivate(), client.getCertificatePath());
            }
            return context.build();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }
}
