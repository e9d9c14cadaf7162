package io.iocluster.door.grpc;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.iocluster.door.grpc.mirror.MessageCheck;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Problem;
import io.iocluster.door.http.ProblemException;
import io.iocluster.message.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * Reads messages only if their size and their number of entries are within limits. Returns an empty message instead of one that cannot be
 * read, and gives the problem to the {@link GrpcRequest}, because a marshaller cannot end a request with a code. Thread-safe.
 */
final class LimitedMarshaller<M> implements Marshaller<M> {

    private final Marshaller<M> original;
    private final Message prototype;
    private final int maxBytes;
    private final int maxEntries;

    private LimitedMarshaller(Marshaller<M> original, Message prototype, int maxBytes, int maxEntries) {
        this.original = original;
        this.prototype = prototype;
        this.maxBytes = maxBytes;
        this.maxEntries = maxEntries;
    }

    /** Returns the service with limits for the messages that its callers send. */
    static ServerServiceDefinition limit(ServerServiceDefinition service, int maxBytes, int maxEntries) {
        ServiceDescriptor original = service.getServiceDescriptor();
        ServiceDescriptor.Builder descriptor =
                ServiceDescriptor.newBuilder(original.getName()).setSchemaDescriptor(original.getSchemaDescriptor());
        List<? extends ServerMethodDefinition<?, ?>> methods = service.getMethods().stream()
                .map(method -> limit(method, maxBytes, maxEntries))
                .toList();
        methods.forEach(method -> descriptor.addMethod(method.getMethodDescriptor()));
        ServerServiceDefinition.Builder limited = ServerServiceDefinition.builder(descriptor.build());
        methods.forEach(limited::addMethod);
        return limited.build();
    }

    private static <Q, A> ServerMethodDefinition<Q, A> limit(
            ServerMethodDefinition<Q, A> method, int maxBytes, int maxEntries) {
        MethodDescriptor<Q, A> descriptor = method.getMethodDescriptor();
        return ServerMethodDefinition.create(
                descriptor.toBuilder()
                        .setRequestMarshaller(limit(descriptor.getRequestMarshaller(), maxBytes, maxEntries))
                        .build(),
                method.getServerCallHandler());
    }

    /** Returns the marshaller with limits for the messages that it reads. */
    static <M> Marshaller<M> limit(Marshaller<M> original, int maxBytes, int maxEntries) {
        Object prototype = ((PrototypeMarshaller<M>) original).getMessagePrototype();
        return new LimitedMarshaller<>(original, (Message) prototype, maxBytes, maxEntries);
    }

    @Override
    public InputStream stream(M message) {
        return original.stream(message);
    }

    @Override
    @SuppressWarnings("unchecked") // The prototype is one of the original marshaller.
    public M parse(InputStream stream) {
        try {
            return (M) read(stream);
        } catch (ProblemException refused) {
            GrpcRequest.current().setMessageProblem(refused.problem());
        } catch (IOException malformed) {
            GrpcRequest.current()
                    .setMessageProblem(Problem.of(
                            400,
                            ErrorCode.MALFORMED_ENVELOPE.wireName(),
                            "the bytes are not a message "
                                    + prototype.getDescriptorForType().getName()));
        }
        return (M) prototype;
    }

    private Message read(InputStream stream) throws IOException {
        byte[] bytes = stream.readNBytes(maxBytes + 1);
        if (bytes.length > maxBytes) {
            throw new ProblemException(DoorRequest.tooLarge(maxBytes));
        }
        MessageCheck.check(bytes, prototype.getDescriptorForType(), maxEntries);
        return prototype.getParserForType().parseFrom(bytes);
    }
}
