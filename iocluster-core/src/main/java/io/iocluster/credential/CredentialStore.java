package io.iocluster.credential;

import io.iocluster.egress.Rejection;
import io.iocluster.http.HttpRequest;
import io.iocluster.message.ErrorCode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The credentials that hold now, replaced as a whole. For any thread. */
public final class CredentialStore {

    private static final Logger LOG = LoggerFactory.getLogger(CredentialStore.class);

    private volatile Map<String, Credential> byName = Map.of();

    public CredentialStore(Map<String, CredentialSettings> settings) {
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
    public Optional<Rejection> check(HttpRequest request) {
        return request.credential() == null ? Optional.empty() : check(find(request.credential()), request);
    }

    static Optional<Rejection> check(Credential credential, HttpRequest request) {
        return credential == null
                ? Optional.of(new Rejection(
                        ErrorCode.UNKNOWN_CREDENTIAL, "this node holds no credential named " + request.credential()))
                : credential.check(request);
    }

    /** Null if there is none of that name. */
    Credential find(String name) {
        return byName.get(name);
    }
}
