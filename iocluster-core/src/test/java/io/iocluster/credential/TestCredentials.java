package io.iocluster.credential;

import io.iocluster.credential.signature.AwsSigV4Settings;
import io.iocluster.credential.signature.StandardWebhooksSettings;
import io.iocluster.testkit.record.RecordCopy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Credentials for one host over HTTP. */
public final class TestCredentials {

    private TestCredentials() {}

    /** Returns a credential that sends a bearer token. */
    public static CredentialSettings bearer(String host, String token) {
        return new CredentialSettings(
                List.of(host),
                List.of("http"),
                Map.of(),
                token,
                BasicAuthSettings.NONE,
                OAuth2Settings.NONE,
                StandardWebhooksSettings.NONE,
                AwsSigV4Settings.NONE);
    }

    /** Returns a credential that sends what the changes say, and a bearer token only if they say so. */
    public static CredentialSettings of(String host, Object... changes) {
        List<Object> all = new ArrayList<>(List.of("bearer", ""));
        all.addAll(List.of(changes));
        return RecordCopy.with(bearer(host, "replaced"), all.toArray());
    }
}
