package io.iocluster.http.connect;

import java.security.AlgorithmConstraints;
import java.security.AlgorithmParameters;
import java.security.CryptoPrimitive;
import java.security.Key;
import java.util.Locale;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * Refuses the finite field groups of TLS (RFC 7919, section 2) for the keys of a handshake. The target chooses the group, and a handshake runs
 * on the event loop: with {@code ffdhe8192} it takes the CPU time of a hundred handshakes with {@code x25519}. Each target that has one of these
 * groups also has an elliptic curve, which RFC 8446, section 9.1, requires. Stateless.
 */
final class CheapKeyExchange implements AlgorithmConstraints {

    private static final CheapKeyExchange INSTANCE = new CheapKeyExchange();

    private CheapKeyExchange() {}

    /** Sets the constraints of an engine whose handshake has not started. Those of the JDK still apply. */
    static void require(SSLEngine engine) {
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setAlgorithmConstraints(INSTANCE);
        engine.setSSLParameters(parameters);
    }

    /** Called with the name of each group before the node offers it. */
    @Override
    public boolean permits(Set<CryptoPrimitive> uses, String algorithm, AlgorithmParameters parameters) {
        return !algorithm.toLowerCase(Locale.ROOT).startsWith("ffdhe");
    }

    @Override
    public boolean permits(Set<CryptoPrimitive> uses, Key key) {
        return true;
    }

    @Override
    public boolean permits(Set<CryptoPrimitive> uses, String algorithm, Key key, AlgorithmParameters parameters) {
        return true;
    }
}
