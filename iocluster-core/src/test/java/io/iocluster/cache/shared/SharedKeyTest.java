package io.iocluster.cache.shared;

import static io.iocluster.cache.shared.SharedTestData.GENERATION;
import static io.iocluster.cache.shared.SharedTestData.KEYED;
import static io.iocluster.cache.shared.SharedTestData.PLAIN;
import static io.iocluster.cache.shared.SharedTestData.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.cache.CallIdentity;
import io.iocluster.testkit.record.RecordCopy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which calls have the same key in the store. */
class SharedKeyTest {

    private static String key(SharedCacheSettings settings, byte[] generation, SharedRequest request) {
        byte[] key = new SharedKey(settings, generation)
                .of(request.destination(), request.everywhere().key());
        return new String(key, StandardCharsets.US_ASCII);
    }

    private static String key(SharedRequest request) {
        return key(KEYED, GENERATION, request);
    }

    private static SharedRequest of(String app, String credential, long version) {
        return request(new CallIdentity(app, credential, version), credential, "/a");
    }

    @Test
    void equalCallsOfDifferentNodesHaveTheSameKey() {
        SharedRequest one = request(new CallIdentity("shop", "key", 1), "key", "/a");
        SharedRequest other = request(new CallIdentity("shop", "key", 9), "key", "/a");
        long fingerprint = 77;

        assertThat(key(new SharedRequest("partner", one.local(), one.local().onAllNodes(fingerprint))))
                .isEqualTo(key(new SharedRequest(
                        "partner", other.local(), other.local().onAllNodes(fingerprint))));
    }

    @Test
    void anotherAppCredentialVersionOrDestinationHasAnotherKey() {
        SharedRequest own = of("shop", "key", 1);

        assertThat(List.of(
                        key(own),
                        key(of("billing", "key", 1)),
                        key(of(null, "key", 1)),
                        key(of("shop", "other", 1)),
                        key(of("shop", null, 0)),
                        key(of("shop", "key", 2)),
                        key(new SharedRequest("other", own.local(), own.everywhere())),
                        key(request(new CallIdentity("shop", "key", 1), "key", "/b")),
                        key(request(new CallIdentity("shop", "key", 1), "key", "/a", "X-Tenant", "2"))))
                .doesNotHaveDuplicates();
    }

    @Test
    void otherSettingsThatResponsesDependOnHaveOtherKeys() {
        SharedRequest own = of("shop", null, 0);

        assertThat(key(KEYED, new byte[] {2}, own)).isNotEqualTo(key(KEYED, GENERATION, own));
    }

    @Test
    void aKeyIsThePrefixAndAHashThatDependsOnTheSecret() {
        SharedRequest own = of("shop", "key", 1);
        SharedCacheSettings prefixed = RecordCopy.with(KEYED, "prefix", "team:");

        assertThat(key(prefixed, GENERATION, own)).matches("team:[\\w-]{43}");
        assertThat(key(PLAIN, GENERATION, own)).isNotEqualTo(key(KEYED, GENERATION, own));
    }
}
