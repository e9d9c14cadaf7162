package io.iocluster.door.spool;

import io.iocluster.door.call.StoredCall;
import io.iocluster.transport.TraceContext;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Converts stored calls to bytes and back. Stateless. */
final class RecordCodec {

    private static final int HEADER_BYTES = 256;

    private RecordCodec() {}

    static byte[] encode(StoredCall call) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(HEADER_BYTES + call.envelope().length);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(call.app());
            out.writeUTF(call.id());
            out.writeUTF(call.queueId());
            TraceContext trace = call.trace();
            out.writeUTF(trace == null ? "" : trace.traceparent());
            out.writeUTF(trace == null || trace.tracestate() == null ? "" : trace.tracestate());
            out.writeLong(call.acceptedMillis());
            out.writeLong(call.expiresMillis());
            out.write(call.envelope());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads a call.
     *
     * @throws IOException if these are not the bytes of a call
     */
    static StoredCall decode(byte[] record) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(record));
        String app = in.readUTF();
        String id = in.readUTF();
        String queueId = in.readUTF();
        String parent = in.readUTF();
        String state = in.readUTF();
        TraceContext trace = parent.isEmpty() ? null : new TraceContext(parent, state.isEmpty() ? null : state);
        long accepted = in.readLong();
        long expires = in.readLong();
        return new StoredCall(app, id, queueId, in.readAllBytes(), trace, accepted, expires);
    }
}
