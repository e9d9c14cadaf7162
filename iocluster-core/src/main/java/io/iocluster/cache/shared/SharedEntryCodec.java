package io.iocluster.cache.shared;

import io.iocluster.cache.StorageRules;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.Header;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes values of the shared cache. A value is a version byte, a tag of 32 bytes, a kind byte and the content, whose texts and lists are
 * preceded by their lengths. The store is not trusted: the tag is checked first, and no length is used before it is checked. Thread-safe.
 */
final class SharedEntryCodec {

    private static final byte VERSION = 1;
    private static final int HEADER_BYTES = 1 + SharedKey.TAG_BYTES;
    private static final byte RESPONSE = 1;
    private static final byte VARYING = 2;

    private static final int MAX_HEADERS = 10_000;
    private static final int MAX_NAME_CHARACTERS = 256;
    private static final long MAX_DELAY_MILLIS = 24 * 3_600_000L;

    private final SharedKey key;
    private final int maxBytes;

    SharedEntryCodec(SharedKey key, int maxBytes) {
        this.key = key;
        this.maxBytes = maxBytes;
    }

    /** Returns the value of an entry at this key; null if it is too large. */
    byte[] encode(byte[] storeKey, SharedEntry entry) {
        if (entry instanceof SharedEntry.Stored stored && stored.response().body().length > maxBytes) {
            return null;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.write(new byte[HEADER_BYTES]);
            if (entry instanceof SharedEntry.Stored stored) {
                writeResponse(out, stored);
            } else if (entry instanceof SharedEntry.Varying varying) {
                out.writeByte(VARYING);
                out.writeInt(varying.names().size());
                for (String name : varying.names()) {
                    writeText(out, name);
                }
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        byte[] value = bytes.toByteArray();
        value[0] = VERSION;
        System.arraycopy(key.tag(storeKey, value, HEADER_BYTES), 0, value, 1, SharedKey.TAG_BYTES);
        return value.length > maxBytes ? null : value;
    }

    private static void writeResponse(DataOutputStream out, SharedEntry.Stored stored) throws IOException {
        Response response = stored.response();
        out.writeByte(RESPONSE);
        out.writeLong(stored.receivedMillis());
        out.writeLong(stored.delayMillis());
        out.writeInt(response.status());
        out.writeInt(response.headers().size());
        for (Header header : response.headers()) {
            writeText(out, header.name());
            writeText(out, header.value());
        }
        out.writeInt(response.body().length);
        out.write(response.body());
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** Returns the entry of a value that was found at this key; null if it is damaged, forged, too large or of another version. */
    SharedEntry decode(byte[] storeKey, byte[] value) {
        if (value.length <= HEADER_BYTES || value.length > maxBytes || value[0] != VERSION) {
            return null;
        }
        byte[] tag = new byte[SharedKey.TAG_BYTES];
        System.arraycopy(value, 1, tag, 0, tag.length);
        if (!MessageDigest.isEqual(tag, key.tag(storeKey, value, HEADER_BYTES))) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(value, HEADER_BYTES, value.length - HEADER_BYTES);
        try {
            SharedEntry entry = switch (in.get()) {
                case RESPONSE -> readResponse(in);
                case VARYING -> readVarying(in);
                default -> null;
            };
            return in.hasRemaining() ? null : entry;
        } catch (BufferUnderflowException | MalformedException invalid) {
            return null;
        }
    }

    private static SharedEntry readResponse(ByteBuffer in) {
        long receivedMillis = in.getLong();
        long delayMillis = in.getLong();
        int status = in.getInt();
        if (receivedMillis < 0 || delayMillis < 0 || delayMillis > MAX_DELAY_MILLIS || status < 200 || status > 599) {
            throw new MalformedException();
        }
        int count = checked(in.getInt(), MAX_HEADERS);
        List<Header> headers = new ArrayList<>(Math.min(count, 64));
        for (int i = 0; i < count; i++) {
            String name = readText(in);
            String value = readText(in);
            if (!isName(name) || !isValue(value)) {
                throw new MalformedException();
            }
            headers.add(new Header(name, value));
        }
        byte[] body = new byte[checked(in.getInt(), in.remaining())];
        in.get(body);
        return new SharedEntry.Stored(
                new Response(status, headers, body, false, AttemptTiming.NONE), receivedMillis, delayMillis);
    }

    private static SharedEntry readVarying(ByteBuffer in) {
        int count = checked(in.getInt(), StorageRules.MAX_VARYING);
        List<String> names = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String name = readText(in);
            if (!isName(name)) {
                throw new MalformedException();
            }
            names.add(name);
        }
        return new SharedEntry.Varying(names);
    }

    private static String readText(ByteBuffer in) {
        byte[] bytes = new byte[checked(in.getInt(), in.remaining())];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static int checked(int length, int max) {
        if (length < 0 || length > max) {
            throw new MalformedException();
        }
        return length;
    }

    /** Returns whether it is the name of a header in lower case (RFC 9110, section 5.1). */
    private static boolean isName(String name) {
        if (name.isEmpty() || name.length() > MAX_NAME_CHARACTERS) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean token = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
            if (!token) {
                return false;
            }
        }
        return true;
    }

    private static boolean isValue(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f) {
                return false;
            }
        }
        return true;
    }

    /** The content is not what its lengths say. Has no stack trace, because the sender of such values chooses how many there are. */
    private static final class MalformedException extends RuntimeException {

        private static final long serialVersionUID = 1;

        MalformedException() {
            super("malformed value", null, false, false);
        }
    }
}
