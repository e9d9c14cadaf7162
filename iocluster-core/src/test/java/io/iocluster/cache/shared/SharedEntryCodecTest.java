package io.iocluster.cache.shared;

import static io.iocluster.cache.shared.SharedTestData.GENERATION;
import static io.iocluster.cache.shared.SharedTestData.KEYED;
import static io.iocluster.cache.shared.SharedTestData.PLAIN;
import static io.iocluster.cache.shared.SharedTestData.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.HttpResult.Response;
import io.iocluster.testkit.record.RecordCopy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the encoding of values, also of those that others wrote. */
class SharedEntryCodecTest {

    private static final byte[] KEY = "iocluster:key".getBytes(StandardCharsets.US_ASCII);
    private static final int CONTENT = 1 + SharedKey.TAG_BYTES;

    private static final SharedEntry.Stored STORED = new SharedEntry.Stored(
            response(200, "body ü", "content-type", "text/plain", "x-name", "value ü"), 1_700_000_000_000L, 12);

    private final SharedKey plain = new SharedKey(PLAIN, GENERATION);
    private final SharedEntryCodec codec = new SharedEntryCodec(plain, 4_096);

    @Test
    void decodesTheResponseThatWasEncoded() {
        SharedEntry.Stored decoded = (SharedEntry.Stored) codec.decode(KEY, codec.encode(KEY, STORED));

        Response response = decoded.response();
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.headers()).isEqualTo(STORED.response().headers());
        assertThat(response.body()).isEqualTo("body ü".getBytes(StandardCharsets.UTF_8));
        assertThat(decoded.receivedMillis()).isEqualTo(1_700_000_000_000L);
        assertThat(decoded.delayMillis()).isEqualTo(12);
    }

    @Test
    void decodesTheNamesThatWereEncoded() {
        SharedEntry names = new SharedEntry.Varying(List.of("accept", "x-language"));

        assertThat(codec.decode(KEY, codec.encode(KEY, names))).isEqualTo(names);
    }

    @Test
    void encodesNothingThatIsTooLarge() {
        assertThat(codec.encode(KEY, stored("x".repeat(4_097)))).isNull();
        assertThat(codec.encode(KEY, stored("x".repeat(4_090)))).isNull();
        assertThat(codec.encode(KEY, stored("x".repeat(3_000)))).isNotNull();
    }

    private static SharedEntry stored(String body) {
        return new SharedEntry.Stored(response(200, body), 1, 1);
    }

    @Test
    void refusesAValueWithAnyOtherByte() {
        byte[] value = codec.encode(KEY, STORED);
        for (int i = 0; i < value.length; i++) {
            byte[] damaged = value.clone();
            damaged[i] ^= 1;
            assertThat(codec.decode(KEY, damaged)).as("byte %d", i).isNull();
        }
    }

    @Test
    void refusesAShorterOrLongerValue() {
        byte[] value = codec.encode(KEY, STORED);
        for (int length = 0; length < value.length; length++) {
            assertThat(codec.decode(KEY, Arrays.copyOf(value, length))).isNull();
        }
        assertThat(codec.decode(KEY, Arrays.copyOf(value, value.length + 1))).isNull();
    }

    @Test
    void refusesAValueThatWasCopiedFromAnotherKey() {
        byte[] value = codec.encode(KEY, STORED);

        assertThat(codec.decode("iocluster:other".getBytes(StandardCharsets.US_ASCII), value))
                .isNull();
    }

    @Test
    void refusesAValueThatWasWrittenWithAnotherSecretOrNone() {
        SharedEntryCodec keyed = new SharedEntryCodec(new SharedKey(KEYED, GENERATION), 4_096);
        SharedCacheSettings otherSecret = RecordCopy.with(PLAIN, "hmacKey", "another secret of thirty-two characters");
        SharedEntryCodec other = new SharedEntryCodec(new SharedKey(otherSecret, GENERATION), 4_096);

        assertThat(keyed.decode(KEY, keyed.encode(KEY, STORED))).isNotNull();
        assertThat(keyed.decode(KEY, codec.encode(KEY, STORED))).isNull();
        assertThat(keyed.decode(KEY, other.encode(KEY, STORED))).isNull();
    }

    /** Without a secret, others can compute the tag of any content. */
    private byte[] forge(byte[] content) {
        byte[] value = new byte[CONTENT + content.length];
        value[0] = 1;
        System.arraycopy(content, 0, value, CONTENT, content.length);
        System.arraycopy(plain.tag(KEY, value, CONTENT), 0, value, 1, SharedKey.TAG_BYTES);
        return value;
    }

    @ParameterizedTest
    @CsvSource({
        "1, 100, 0, 0", // a status that is not final
        "1, 600, 0, 0",
        "1, 200, -1, 0",
        "1, 200, 2000000000, 0",
        "1, 200, 0, -1",
        "1, 200, 0, 2000000000",
        "1, 200, 0, 5",
        "3, 200, 0, 0" // an unknown kind
    })
    void refusesForgedContent(byte kind, int status, int headers, int body) {
        byte[] content = ByteBuffer.allocate(29)
                .put(kind)
                .putLong(1_700_000_000_000L)
                .putLong(1)
                .putInt(status)
                .putInt(headers)
                .putInt(body)
                .array();

        assertThat(codec.decode(KEY, forge(content))).isNull();
    }

    @Test
    void acceptsForgedContentThatIsWellFormed() {
        byte[] content = ByteBuffer.allocate(29)
                .put((byte) 1)
                .putLong(1)
                .putLong(1)
                .putInt(200)
                .array();

        assertThat(codec.decode(KEY, forge(content))).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x-a|b\\r\\nset-cookie: c", // would split the header
                "x-a|\\0",
                "X-A|b", // not in lower case, so that rules about names would not apply
                "x a|b",
                "|b"
            })
    void refusesHeadersThatATargetCannotSend(String name, String value) {
        String text = value == null
                ? ""
                : value.replace("\\r", "\r").replace("\\n", "\n").replace("\\0", "\0");
        byte[] forged = codec.encode(
                KEY, new SharedEntry.Stored(response(200, "", name == null ? "" : name, text), 1_700_000_000_000L, 1));

        assertThat(codec.decode(KEY, forged)).isNull();
    }

    @Test
    void refusesMoreNamesThanAResponseMayHave() {
        List<String> names = IntStream.range(0, 17).mapToObj(i -> "x-" + i).toList();

        assertThat(codec.decode(KEY, codec.encode(KEY, new SharedEntry.Varying(names))))
                .isNull();
    }

    /** Changes bytes of the content and computes the tag again: no value may lead to an exception or a large allocation. */
    @Test
    void survivesContentThatOthersHaveChanged() {
        Random random = new Random(42);
        byte[] valid = codec.encode(KEY, STORED);
        int accepted = 0;
        for (int i = 0; i < 100_000; i++) {
            byte[] content = Arrays.copyOfRange(valid, CONTENT, valid.length);
            for (int changes = random.nextInt(4) + 1; changes > 0; changes--) {
                content[random.nextInt(content.length)] = (byte) random.nextInt(256);
            }
            byte[] cut = Arrays.copyOf(content, content.length - (random.nextInt(4) == 0 ? random.nextInt(9) : 0));
            SharedEntry entry = codec.decode(KEY, forge(cut));
            if (entry instanceof SharedEntry.Stored stored) {
                accepted++;
                assertThat(stored.response().status()).isBetween(200, 599);
                assertThat(stored.response().body().length).isLessThan(valid.length);
            }
        }
        assertThat(accepted).isPositive();
    }

    @Test
    void survivesRandomBytes() {
        Random random = new Random(43);
        for (int i = 0; i < 20_000; i++) {
            byte[] content = new byte[random.nextInt(200)];
            random.nextBytes(content);
            if (content.length > 0) {
                content[0] = (byte) random.nextInt(4);
            }
            if (codec.decode(KEY, forge(content)) instanceof SharedEntry.Varying varying) {
                assertThat(varying.names().size()).isLessThanOrEqualTo(16);
            }
        }
    }
}
