package io.iocluster.credential;

import io.iocluster.egress.Refusal;
import io.iocluster.http.HttpRequest;
import io.iocluster.message.ErrorCode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The credentials that hold now, replaced as a whole. For any thread. */
public final class CredentialsInForce {

    private static final Logger LOG = LoggerFactory.getLogger(CredentialsInForce.class);

    private volatile Map<String, Credential> byName = Map.of();

    public CredentialsInForce(Map<String, CredentialSettings> settings) {
        byName = next(settings);
    }

    /** Puts other credentials in force. One whose settings are the same keeps its token. */
    public synchronized void replace(Map<String, CredentialSettings> settings) {
        Map<String, Credential> next = next(settings);
        if (!next.equals(byName)) {
            byName = next;
            LOG.info("the credentials were replaced: {} now", next.size());
        }
    }

    private Map<String, Credential> next(Map<String, CredentialSettings> settings) {
        Map<String, Credential> before = byName;
        Map<String, Credential> next = new HashMap<>();
        settings.forEach((name, each) -> {
            Credential known = before.get(name);
            next.put(name, known != null && known.settings().equals(each) ? known : new Credential(name, each));
        });
        return Map.copyOf(next);
    }

    /** Why this call may not be made with the credential that it names, if so; empty if it names none. */
    public Optional<Refusal> refusal(HttpRequest request) {
        return request.credential() == null ? Optional.empty() : refusal(find(request.credential()), request);
    }

    static Optional<Refusal> refusal(Credential credential, HttpRequest request) {
        return credential == null
                ? Optional.of(new Refusal(
                        ErrorCode.UNKNOWN_CREDENTIAL, "this node holds no credential named " + request.credential()))
                : credential.refusal(request);
    }

    /** Null if there is none of that name. */
    Credential find(String name) {
        return byName.get(name);
    }
}
