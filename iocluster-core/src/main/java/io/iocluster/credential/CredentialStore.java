package io.iocluster.credential;

import io.iocluster.egress.Rejection;
import io.iocluster.http.HttpRequest;
import io.iocluster.message.ErrorCode;
import io.iocluster.thread.NodeClock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds the current credentials, which are replaced as a whole. Thread-safe. */
public final class CredentialStore {

    private static final Logger LOG = LoggerFactory.getLogger(CredentialStore.class);

    private final NodeClock clock;
    private volatile Map<String, Credential> byName = Map.of();

    /**
     * Creates a store.
     *
     * @param clock the wall clock of signatures, and the monotonic clock of tokens
     */
    public CredentialStore(Map<String, CredentialSettings> settings, NodeClock clock) {
        this.clock = clock;
        byName = next(settings);
    }

    /** Replaces the credentials. A credential with unchanged settings keeps its token. */
    public synchronized void replace(Map<String, CredentialSettings> settings) {
        Map<String, Credential> next = next(settings);
        if (!next.equals(byName)) {
            byName = next;
            LOG.info("Credentials replaced count={}", next.size());
        }
    }

    private Map<String, Credential> next(Map<String, CredentialSettings> settings) {
        Map<String, Credential> before = byName;
        Map<String, Credential> next = new HashMap<>();
        settings.forEach((name, each) -> {
            Credential known = before.get(name);
            next.put(name, known != null && known.settings().equals(each) ? known : new Credential(name, each, clock));
        });
        return Map.copyOf(next);
    }

    /** Returns why this call may not use the credential that it names. Empty if it may, or names none. */
    public Optional<Rejection> check(HttpRequest request) {
        return request.credential() == null ? Optional.empty() : check(find(request.credential()), request);
    }

    static Optional<Rejection> check(Credential credential, HttpRequest request) {
        return credential == null
                ? Optional.of(new Rejection(
                        ErrorCode.UNKNOWN_CREDENTIAL, "this node has no credential named " + request.credential()))
                : credential.check(request);
    }

    /** Returns a number that changes whenever the settings of the credential change; 0 if there is no credential of that name. */
    public long version(String name) {
        Credential found = name == null ? null : find(name);
        return found == null ? 0 : found.version();
    }

    /**
     * Returns a number that is the same on all nodes whose credential of that name has the same settings. Empty if its version has
     * changed.
     *
     * @param name null for none
     * @param version the expected {@link #version}
     */
    public OptionalLong fingerprint(String name, long version) {
        Credential found = name == null ? null : find(name);
        if ((found == null ? 0 : found.version()) != version) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(found == null ? 0 : found.fingerprint());
    }

    /** Returns null if there is no credential of that name. */
    Credential find(String name) {
        return byName.get(name);
    }
}
