package io.iocluster.door.grpc.mirror;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.WireFormat;
import io.iocluster.door.http.Problem;
import io.iocluster.door.http.ProblemException;
import io.iocluster.message.ErrorCode;
import java.io.IOException;

/**
 * Checks an encoded message before it is decoded, because a list entry of two bytes becomes an object of up to a hundred bytes. Creates no
 * objects for entries. Each instance checks one message. Confined to one thread.
 */
public final class MessageCheck {

    private final int maxEntries;
    private int entries;

    private MessageCheck(int maxEntries) {
        this.maxEntries = maxEntries;
    }

    /**
     * Checks a message.
     *
     * @param message its bytes
     * @param maxEntries maximum number of entries of all its lists together
     * @throws ProblemException if it has more entries, or an unknown field
     * @throws IOException if the bytes are not an encoded message
     */
    public static void check(byte[] message, Descriptor type, int maxEntries) throws IOException {
        new MessageCheck(maxEntries).check(CodedInputStream.newInstance(message), type);
    }

    private void check(CodedInputStream in, Descriptor type) throws IOException {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
            if (field == null || field.getLiteType().getWireType() != WireFormat.getTagWireType(tag)) {
                throw unknownField(WireFormat.getTagFieldNumber(tag), type);
            }
            if (field.isRepeated() && ++entries > maxEntries) {
                throw new ProblemException(Problem.of(
                        400,
                        ErrorCode.INVALID_ENVELOPE.wireName(),
                        "the message has more than " + maxEntries
                                + " entries in its lists, which door.grpc.max-entries limits"));
            }
            if (field.getJavaType() == JavaType.MESSAGE) {
                int end = in.pushLimit(in.readRawVarint32());
                check(in, field.getMessageType());
                in.popLimit(end);
            } else {
                in.skipField(tag);
            }
        }
    }

    /** Otherwise a caller with a newer version of the messages would not notice that the door ignores a field. */
    private static ProblemException unknownField(int number, Descriptor type) {
        return new ProblemException(Problem.of(
                400, ErrorCode.UNKNOWN_FIELD.wireName(), "field " + number + " of " + type.getName() + " is unknown"));
    }
}
