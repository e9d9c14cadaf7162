package io.iocluster.node.door.grpc;

import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.iocluster.node.door.DoorFixture;
import io.iocluster.v1.CallsGrpc;
import io.iocluster.v1.CallsGrpc.CallsBlockingStub;
import io.iocluster.v1.Envelope;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.assertj.core.api.Assertions;

/** A client of the gRPC server of a door. */
final class GrpcCaller implements AutoCloseable {

    /** Keys of the section {@code door} that start a gRPC server on a free port. */
    static final String ENABLED = "grpc: {enabled: true, port: 0}";

    private final DoorFixture door;
    private final ManagedChannel channel;

    GrpcCaller(DoorFixture door) {
        this(door, UnaryOperator.identity());
    }

    GrpcCaller(DoorFixture door, UnaryOperator<NettyChannelBuilder> options) {
        this.door = door;
        NettyChannelBuilder plain =
                NettyChannelBuilder.forAddress("127.0.0.1", port(door)).usePlaintext();
        this.channel = options.apply(plain).build();
    }

    static int port(DoorFixture door) {
        return door.door.grpcAddress().orElseThrow().getPort();
    }

    ManagedChannel channel() {
        return channel;
    }

    /** Returns a stub that waits for up to a minute, and sends these pairs of names and values as metadata. */
    CallsBlockingStub calls(String... metadata) {
        return CallsGrpc.newBlockingStub(channel)
                .withDeadlineAfter(1, TimeUnit.MINUTES)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata(metadata)));
    }

    /** Returns a stub that sends these pairs of names and values as metadata. */
    CallsGrpc.CallsStub async(String... metadata) {
        return CallsGrpc.newStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata(metadata)));
    }

    private static Metadata metadata(String... pairs) {
        Metadata metadata = new Metadata();
        for (int i = 0; i < pairs.length; i += 2) {
            metadata.put(key(pairs[i]), pairs[i + 1]);
        }
        return metadata;
    }

    static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    /** Returns an envelope for this path of the target. */
    Envelope envelope(String path) {
        return Envelope.newBuilder().setUrl(door.target.url(path)).build();
    }

    /**
     * Retries a request until its response arrives. The door sends the response at most 100 ms before the deadline, and a busy
     * machine may deliver it later.
     */
    static <A> A beforeItsDeadline(Callable<A> request) {
        return await().pollDelay(Duration.ZERO)
                .ignoreExceptionsMatching(late -> Status.fromThrowable(late).getCode() == Status.Code.DEADLINE_EXCEEDED)
                .until(request, Objects::nonNull);
    }

    /** A request that failed. */
    record Refusal(Status status, Metadata trailers) {

        Status.Code code() {
            return status.getCode();
        }

        /** Returns a value of the trailing metadata; null if it is missing. */
        String trailer(String name) {
            return trailers.get(key(name));
        }
    }

    /** Runs a request that must fail. */
    static Refusal refusal(Runnable request) {
        Throwable failure = Assertions.catchThrowable(request::run);
        Assertions.assertThat(failure).isInstanceOf(StatusRuntimeException.class);
        return refusal(failure);
    }

    static Refusal refusal(Throwable failure) {
        Metadata trailers = Status.trailersFromThrowable(failure);
        return new Refusal(Status.fromThrowable(failure), trailers == null ? new Metadata() : trailers);
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
